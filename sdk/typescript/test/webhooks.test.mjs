import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Frontdesk, SignatureError, webhooks } from "../dist/esm/index.js";
import { key } from "./server.mjs";

const secret = `whsec_${randomBytes(32).toString("base64")}`;
const other = `whsec_${randomBytes(32).toString("base64")}`;
const body = JSON.stringify({ id: "e1", type: "capture.created", data: { object: { customer_name: "Íñigo" } } });
const now = new Date("2026-11-12T10:00:00Z");

function sign(withSecret, at = now, text = body) {
  const seconds = Math.floor(at / 1000);
  const hmac = createHmac("sha256", Buffer.from(withSecret.slice(6), "base64")).update(`e1.${seconds}.${text}`);
  return { "webhook-id": "e1", "webhook-timestamp": String(seconds), "webhook-signature": `v1,${hmac.digest("base64")}` };
}

test("the example of the API's description is verified", async () => {
  const text = readFileSync(new URL("../../../internal/description/openapi.json", import.meta.url), "utf8");
  const example = JSON.parse(text).components.schemas.ConnectorSignature.properties.example;
  const { secret, id, timestamp, body, signature } = example.example ?? example.examples?.[0] ?? findExample(JSON.parse(text));
  const headers = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
  const event = await webhooks.verify(body, headers, secret, { now: new Date(Number(timestamp) * 1000) });
  assert.deepEqual(event, JSON.parse(body));
});

function findExample(value) {
  if (typeof value !== "object" || value === null) return undefined;
  if (typeof value.signature === "string" && typeof value.secret === "string" && typeof value.body === "string") return value;
  for (const inner of Object.values(value)) {
    const found = findExample(inner);
    if (found) return found;
  }
  return undefined;
}

test("headers in any case and shape, bodies as text and bytes", async () => {
  const plain = sign(secret);
  const upper = Object.fromEntries(Object.entries(plain).map(([name, value]) => [name.toUpperCase(), value]));
  const lists = Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, [value]]));
  const bytes = new TextEncoder().encode(body);
  for (const headers of [plain, upper, lists, new Headers(plain)]) {
    for (const given of [body, bytes, bytes.buffer, Buffer.from(body)]) {
      assert.deepEqual(await webhooks.verify(given, headers, secret, { now }), JSON.parse(body));
    }
  }
  assert.equal((await new Frontdesk({ apiKey: key }).webhooks.verify(body, plain, secret, { now })).type, "capture.created");
});

test("while a rotation lasts, either secret verifies either or both signatures", async () => {
  const both = { ...sign(secret), "webhook-signature": `${sign(other)["webhook-signature"]} ${sign(secret)["webhook-signature"]}` };
  for (const secrets of [secret, other, [secret, other], [other, secret]]) await webhooks.verify(body, both, secrets, { now });
  await webhooks.verify(body, sign(other), [secret, other], { now });
  await webhooks.verify(body, sign(secret), [secret, other], { now });
});

test("a signature of another version beside ours is passed over", async () => {
  const headers = sign(secret);
  headers["webhook-signature"] = `v2,AAAA v1a,!!!! ${headers["webhook-signature"]}`;
  await webhooks.verify(body, headers, secret, { now });
});

const refused = {
  "another secret": ["signature", body, sign(other), secret],
  "a changed body": ["signature", `${body} `, sign(secret), secret],
  "another id": ["signature", body, { ...sign(secret), "webhook-id": "e2" }, secret],
  "another time": ["signature", body, { ...sign(secret), "webhook-timestamp": String(now / 1000 + 1) }, secret],
  "no version": ["signature", body, { ...sign(secret), "webhook-signature": sign(secret)["webhook-signature"].slice(3) }, secret],
  "an unknown version alone": ["signature", body, { ...sign(secret), "webhook-signature": sign(secret)["webhook-signature"].replace("v1", "v2") }, secret],
  "a signature cut short": ["signature", body, { ...sign(secret), "webhook-signature": "v1,AAAA" }, secret],
  "no signature": ["headers", body, { ...sign(secret), "webhook-signature": undefined }, secret],
  "an empty id": ["headers", body, { ...sign(secret), "webhook-id": "" }, secret],
  "no headers": ["headers", body, {}, secret],
  "two timestamps": ["headers", body, { ...sign(secret), "webhook-timestamp": ["1", "2"] }, secret],
  "a timestamp in words": ["headers", body, { ...sign(secret), "webhook-timestamp": "today" }, secret],
  "too old": ["timestamp", body, sign(secret, new Date(now - 301_000)), secret],
  "too new": ["timestamp", body, sign(secret, new Date(+now + 301_000)), secret],
  "a secret without its prefix": ["secret", body, sign(secret), secret.slice(6)],
  "a secret that is not base64": ["secret", body, sign(secret), "whsec_!"],
  "an empty secret": ["secret", body, sign(secret), "whsec_"],
  "no secret": ["secret", body, sign(secret), undefined],
  "no secrets": ["secret", body, sign(secret), []],
  "an undefined secret among others": ["secret", body, sign(secret), [secret, undefined]],
  "a parsed body": ["body", JSON.parse(body), sign(secret), secret],
  "a signed body that is not JSON": ["body", "hello", sign(secret, now, "hello"), secret],
};

for (const [what, [check, given, headers, secrets]] of Object.entries(refused)) {
  test(`refused: ${what}`, async () => {
    await assert.rejects(webhooks.verify(given, headers, secrets, { now }), (error) => {
      assert.ok(error instanceof SignatureError);
      assert.equal(error.check, check);
      assert.ok(!error.message.includes(secret.slice(6)));
      return true;
    });
  });
}

test("the tolerance is five minutes, and can be another", async () => {
  await webhooks.verify(body, sign(secret, new Date(now - 300_000)), secret, { now });
  await webhooks.verify(body, sign(secret, new Date(now - 900_000)), secret, { now, toleranceSeconds: 900 });
  await assert.rejects(webhooks.verify(body, sign(secret, new Date(now - 11_000)), secret, { now, toleranceSeconds: 10 }));
  await webhooks.verify(body, sign(secret, new Date()), secret);
});
