import assert from "node:assert/strict";
import { test } from "node:test";

import { APIConnectionError, APITimeoutError, Frontdesk } from "../dist/esm/index.js";
import { APIError } from "../dist/esm/errors.js";
import { waitBefore } from "../dist/esm/retries.js";
import { again, failure, key, serve } from "./server.mjs";

const client = (baseUrl, more) => new Frontdesk({ apiKey: key, baseUrl, ...more });

for (const status of [408, 429, 500, 502, 503, 504]) {
  test(`${status} is tried again, with the same Idempotency-Key`, async (t) => {
    const { url, requests } = await serve(t, (_, n) => (n < 3 ? again(status) : { body: { capture: { id: "c" } } }));
    assert.deepEqual(await client(url).captures.create({ agent: "a" }), { id: "c" });
    assert.equal(requests.length, 3);
    assert.match(requests[0].headers["idempotency-key"], /^[0-9a-f-]{36}$/);
    assert.equal(new Set(requests.map((r) => r.headers["idempotency-key"])).size, 1);
    assert.equal(new Set(requests.map((r) => r.body)).size, 1);
  });
}

test("two calls have two Idempotency-Keys, and only POST has one", async (t) => {
  const { url, requests } = await serve(t, () => ({ body: { capture: {}, connection: {} } }));
  const frontdesk = client(url);
  await frontdesk.captures.create({ agent: "a" });
  await frontdesk.captures.create({ agent: "a" });
  await frontdesk.captures.setStatus("c", "confirmed");
  const keys = requests.map((r) => r.headers["idempotency-key"]);
  assert.notEqual(keys[0], keys[1]);
  assert.equal(keys[2], undefined);
});

test("a request whose Idempotency-Key is in use is tried again, one whose key was reused is not", async (t) => {
  for (const [code, attempts] of [["idempotency_key_in_use", 3], ["idempotency_key_reused", 1]]) {
    const { url, requests } = await serve(t, () => failure(409, "idempotency_error", code, { headers: { "retry-after": "0" } }));
    await assert.rejects(client(url).captures.create({ agent: "a" }), { name: "IdempotencyError", code });
    assert.equal(requests.length, attempts);
  }
});

test("what will not pass is not tried again", async (t) => {
  for (const status of [400, 401, 403, 404, 412, 413]) {
    const { url, requests } = await serve(t, () => failure(status, "invalid_request_error", "no"));
    await assert.rejects(client(url).whoami(), { status });
    assert.equal(requests.length, 1);
  }
});

test("maxRetries counts for the client and for the request", async (t) => {
  const { url, requests } = await serve(t, () => again(503));
  const frontdesk = client(url, { maxRetries: 1 });
  await assert.rejects(frontdesk.whoami(), { status: 503 });
  assert.equal(requests.length, 2);
  await assert.rejects(frontdesk.whoami({ maxRetries: 0 }), { status: 503 });
  assert.equal(requests.length, 3);
});

test("a connection that breaks is tried again", async (t) => {
  const { url, requests } = await serve(t, (_, n) => (n === 1 ? "reset" : { body: { livemode: true } }));
  assert.deepEqual(await client(url).whoami(), { livemode: true });
  assert.equal(requests.length, 2);
});

test("no server is an APIConnectionError that says why", async () => {
  const { createServer } = await import("node:net");
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  await assert.rejects(client(`http://127.0.0.1:${port}`, { maxRetries: 0 }).whoami(), (error) => {
    assert.ok(error instanceof APIConnectionError);
    assert.match(error.message, /^GET \/whoami: .*ECONNREFUSED/);
    return true;
  });
});

test("an answer that breaks off in the middle is tried again", async (t) => {
  const { createServer } = await import("node:http");
  let requests = 0;
  const server = createServer((_, res) => {
    res.writeHead(200, { "content-length": "100" });
    if (++requests === 1) res.write('{"live', () => res.socket.destroy());
    else res.end('{"livemode":true}'.padEnd(100));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  assert.deepEqual(await client(`http://127.0.0.1:${server.address().port}`).whoami(), { livemode: true });
  assert.equal(requests, 2);
});

test("a timeout is an APITimeoutError, and each attempt has its own time", async (t) => {
  const never = new Promise(() => undefined);
  const { url, requests } = await serve(t, () => never);
  await assert.rejects(client(url, { timeout: 50, maxRetries: 1 }).whoami(), (error) => {
    assert.ok(error instanceof APITimeoutError && error instanceof APIConnectionError);
    assert.match(error.message, /within 50 ms/);
    return true;
  });
  assert.equal(requests.length, 2);
});

test("a timeout of Infinity is no limit", async (t) => {
  const { url } = await serve(t, () => ({ body: { livemode: true } }));
  assert.deepEqual(await client(url, { timeout: Infinity }).whoami(), { livemode: true });
});

test("a signal ends a request with its reason", async (t) => {
  const controller = new AbortController();
  const { url, requests } = await serve(t, () => {
    controller.abort(new Error("the visitor left"));
    return new Promise(() => undefined);
  });
  await assert.rejects(client(url).whoami({ signal: controller.signal }), { message: "the visitor left" });
  await assert.rejects(client(url).whoami({ signal: controller.signal }), { message: "the visitor left" });
  assert.equal(requests.length, 1);
});

test("a signal ends the wait before the next attempt", async (t) => {
  const controller = new AbortController();
  const { url, requests } = await serve(t, () => failure(429, "rate_limit_error", "rate_limited", { headers: { "retry-after": "60" } }));
  // Once the answer has been read and the microtasks are through, the client waits.
  const abortWhenRead = async (...args) => {
    const { status, ok, headers } = await fetch(...args);
    const text = async () => {
      setImmediate(() => controller.abort());
      return "";
    };
    return { status, ok, headers, text };
  };
  await assert.rejects(client(url, { fetch: abortWhenRead }).whoami({ signal: controller.signal }), { name: "AbortError" });
  assert.equal(requests.length, 1);
});

test("a DELETE whose answer was lost and that finds nothing left is done", async (t) => {
  const gone = failure(404, "invalid_request_error", "not_found");
  for (const first of ["reset", { status: 504, body: "gateway timeout", headers: { "retry-after": "0" } }]) {
    const { url } = await serve(t, (_, n) => (n === 1 ? first : gone));
    assert.deepEqual(await client(url).connections.delete("c1"), { deleted: true, id: "c1" });
  }
});

test("a DELETE that finds nothing is 404 when no answer was lost", async (t) => {
  const gone = failure(404, "invalid_request_error", "not_found");
  for (const answer of [() => gone, (_, n) => (n === 1 ? again(429) : gone)]) {
    const { url } = await serve(t, answer);
    await assert.rejects(client(url).connections.delete("c1"), { name: "NotFoundError" });
  }
});

test("waits double from half a second, a quarter more or less, up to eight", () => {
  const lost = new APIConnectionError("lost");
  assert.deepEqual([0, 1, 2, 3, 4, 9].map((n) => waitBefore(lost, n, 0.5)), [500, 1000, 2000, 4000, 8000, 8000]);
  assert.deepEqual([waitBefore(lost, 0, 0), waitBefore(lost, 0, 1)], [375, 625]);
});

test("Retry-After wins up to a minute; beyond, the error is raised at once", () => {
  const asked = (retryAfter) => new APIError({ status: 503, headers: new Headers({ "retry-after": retryAfter }), error: null, detail: "" });
  assert.equal(waitBefore(asked("0"), 5, 0.5), 0);
  assert.equal(waitBefore(asked("60"), 0, 0.5), 60_000);
  assert.equal(waitBefore(asked("61"), 0, 0.5), null);
  assert.equal(waitBefore(asked("soon"), 0, 0.5), 500);
  assert.equal(waitBefore(asked("Thu, 01 Jan 1970 00:00:00 GMT"), 0, 0.5), 0);
  const date = new Date(Date.now() + 3_600_000).toUTCString();
  assert.equal(waitBefore(asked(date), 0, 0.5), null);
});
