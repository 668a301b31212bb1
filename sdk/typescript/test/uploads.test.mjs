import assert from "node:assert/strict";
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { fileFromPath } from "../dist/esm/file.js";
import { Frontdesk } from "../dist/esm/index.js";
import { again, key, serve } from "./server.mjs";

const text = "# Parking\n\nThere is a car park. ¡Sí!\n".repeat(5_000);
const bytes = new TextEncoder().encode(text);
const stored = { status: 201, body: { document: { id: "d" }, deduped: false, limits: {} } };

function onDisk(t) {
  const folder = mkdtempSync(join(tmpdir(), "upload-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "faq.md");
  writeFileSync(path, text);
  return path;
}

async function* inChunks() {
  for (let at = 0; at < bytes.length; at += 10_000) yield bytes.subarray(at, at + 10_000);
}

function streamOf(chunks) {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

// What can be read again is tried again.
const repeatable = {
  "a string": () => text,
  "a Uint8Array": () => bytes,
  "a view into a larger buffer": () => new Uint8Array([0, ...bytes, 0]).subarray(1, bytes.length + 1),
  "an ArrayBuffer": () => bytes.slice().buffer,
  "a Blob": () => new Blob([bytes]),
  "a file from its path": (t) => fileFromPath(onDisk(t)),
};

for (const [what, make] of Object.entries(repeatable)) {
  test(`${what} is uploaded, and tried again`, async (t) => {
    const { url, requests } = await serve(t, (_, n) => (n === 1 ? again(503) : stored));
    const result = await new Frontdesk({ apiKey: key, baseUrl: url }).knowledge.documents.upload(make(t), { filename: "faq.md" });
    assert.equal(result.document.id, "d");
    assert.equal(requests.length, 2);
    for (const { body, headers } of requests) {
      assert.ok(body === text, "another body arrived");
      assert.equal(headers["content-type"], "text/markdown");
    }
    assert.equal(requests[0].headers["idempotency-key"], requests[1].headers["idempotency-key"]);
  });
}

const once = {
  "a web stream": () => streamOf(inChunks()),
  "a Node stream": (t) => createReadStream(onDisk(t)),
  "an async generator": () => inChunks(),
};

for (const [what, make] of Object.entries(once)) {
  test(`${what} is uploaded`, async (t) => {
    const { url, requests } = await serve(t, () => stored);
    await new Frontdesk({ apiKey: key, baseUrl: url }).knowledge.documents.upload(make(t), { filename: "faq.md" });
    assert.ok(requests[0].body === text, "another body arrived");
  });

  test(`${what} is not tried again once it was read from`, async (t) => {
    const { url, requests } = await serve(t, () => again(503));
    await assert.rejects(new Frontdesk({ apiKey: key, baseUrl: url }).knowledge.documents.upload(make(t), { filename: "faq.md" }), { status: 503 });
    assert.equal(requests.length, 1);
  });
}

test("a stream that no attempt has read from is tried again, and sent whole", async (t) => {
  const { url, requests } = await serve(t, () => stored);
  let attempts = 0;
  // The first connection fails before the body is asked for.
  const refusedOnce = (target, init) => fetch(++attempts === 1 ? "http://127.0.0.1:1/" : target, init);
  const frontdesk = new Frontdesk({ apiKey: key, baseUrl: url, fetch: refusedOnce });
  await frontdesk.knowledge.documents.upload(streamOf(inChunks()), { filename: "faq.md" });
  assert.equal(attempts, 2);
  assert.ok(requests[0].body === text, "another body arrived");
});

test("a stream that is given up is closed", async (t) => {
  const { url } = await serve(t, Object.assign(() => stored, { beforeBody: () => ({ ...again(503), headers: { connection: "close" } }) }));
  let closed;
  const whenClosed = new Promise((resolve) => (closed = resolve));
  async function* endless() {
    try {
      for (;;) yield bytes;
    } finally {
      closed();
    }
  }
  await assert.rejects(new Frontdesk({ apiKey: key, baseUrl: url }).knowledge.documents.upload(endless(), { filename: "faq.md" }));
  await whenClosed;
});

test("a file that cannot be read is its own error, and is not tried again", async (t) => {
  const { url } = await serve(t, () => stored);
  let attempts = 0;
  const counted = (...args) => (attempts++, fetch(...args));
  const frontdesk = new Frontdesk({ apiKey: key, baseUrl: url, fetch: counted });
  await assert.rejects(frontdesk.knowledge.documents.upload(fileFromPath("no/such/file.md")), { code: "ENOENT" });
  assert.equal(attempts, 1);
});

test("the name and the content type come from the file where they are not given", async (t) => {
  const { url, requests } = await serve(t, () => stored);
  const { documents } = new Frontdesk({ apiKey: key, baseUrl: url }).knowledge;
  await documents.upload(fileFromPath(onDisk(t)));
  await documents.upload(new File(["a,b"], "prices.csv", { type: "text/csv" }));
  await documents.upload("hello", { filename: "hello.TXT", title: "Hello" });
  await documents.upload("hello", { filename: "hello.md", contentType: "text/plain" });
  assert.deepEqual(
    requests.map(({ query, headers }) => [query.filename, headers["content-type"]]),
    [["faq.md", "text/markdown"], ["prices.csv", "text/csv"], ["hello.TXT", "text/plain"], ["hello.md", "text/plain"]],
  );
  assert.throws(() => documents.upload("hello"), { name: "FrontdeskError", message: /name the file/ });
  assert.throws(() => documents.upload({}, { filename: "a.md" }), { name: "FrontdeskError" });
});
