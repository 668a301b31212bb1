import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";

import * as sdk from "../dist/esm/index.js";
import { failure, key, serve } from "./server.mjs";

const { Frontdesk } = sdk;

test("a missing key is an error at construction that says what to do", (t) => {
  setEnv(t, { FRONTDESK_API_KEY: undefined });
  assert.throws(() => new Frontdesk(), { name: "FrontdeskError", message: /FRONTDESK_API_KEY/ });
});

test("key and base URL come from the environment", async (t) => {
  const { url, requests } = await serve(t, () => ({ body: { livemode: false } }));
  setEnv(t, { FRONTDESK_API_KEY: key, FRONTDESK_BASE_URL: url });
  assert.deepEqual(await new Frontdesk().whoami(), { livemode: false });
  assert.equal(requests[0].headers.authorization, `Bearer ${key}`);
  assert.equal(requests[0].headers["user-agent"], `frontdesk-typescript/${sdk.VERSION}`);
});

test("a base URL may end in a slash or in /v1, and may have a path", async (t) => {
  const { url, requests } = await serve(t, () => ({}));
  for (const end of ["", "/", "/v1", "/v1/", "/desk", "/desk/v1"]) {
    await new Frontdesk({ apiKey: key, baseUrl: url + end }).whoami();
  }
  const seen = requests.map((r) => r.path);
  assert.deepEqual(seen, ["/v1/whoami", "/v1/whoami", "/v1/whoami", "/v1/whoami", "/desk/v1/whoami", "/desk/v1/whoami"]);
});

test("a base URL that is none is refused", () => {
  for (const baseUrl of ["frontdesk", "ftp://frontdesk.example", "https://me:secret@frontdesk.example"]) {
    assert.throws(() => new Frontdesk({ apiKey: key, baseUrl }), { name: "FrontdeskError", message: /baseUrl/ });
  }
});

test("a key that no header can hold is refused without being shown", () => {
  assert.throws(() => new Frontdesk({ apiKey: `${key}\n` }), (error) => !inspect(error).includes(key));
});

test("the key shows neither in a printed client nor in errors", async (t) => {
  const { url } = await serve(t, ({ headers }) => ({ status: 502, body: `I was sent ${headers.authorization}` }));
  const frontdesk = new Frontdesk({ apiKey: key, baseUrl: url, maxRetries: 0 });
  const error = await frontdesk.whoami().catch((e) => e);
  assert.match(error.message, /I was sent Bearer \[api key\]/);
  for (const shown of [frontdesk, frontdesk.calls, error]) {
    assert.ok(!inspect(shown, { depth: 10, showHidden: true }).includes(key));
    assert.ok(!JSON.stringify(shown).includes(key));
  }
});

test("headers of the client and of the request are sent, the request's win, and none replaces the key", async (t) => {
  const { url, requests } = await serve(t, () => ({}));
  const frontdesk = new Frontdesk({ apiKey: key, baseUrl: url, headers: { "x-one": "client", "x-two": "client" } });
  await frontdesk.whoami({ headers: { "X-Two": "request", Authorization: "Bearer other" } });
  const { headers } = requests[0];
  assert.deepEqual([headers["x-one"], headers["x-two"], headers.authorization], ["client", "request", `Bearer ${key}`]);
});

test("redirects are not followed", async (t) => {
  const other = await serve(t, () => ({}));
  const { url } = await serve(t, () => ({ status: 302, headers: { location: `${other.url}/v1/whoami` } }));
  const frontdesk = new Frontdesk({ apiKey: key, baseUrl: url });
  await assert.rejects(frontdesk.whoami(), { name: "APIError", status: 302, message: /redirects to http/ });
  assert.equal(other.requests.length, 0);
});

test("a query leaves out what is undefined and writes a Date as RFC 3339", async (t) => {
  const { url, requests } = await serve(t, () => ({ body: { data: [], has_more: false, next_starting_after: null } }));
  const frontdesk = new Frontdesk({ apiKey: key, baseUrl: url });
  await frontdesk.request("get", "/calls", { query: { caller: "+34600", agent_id: undefined, started_from: new Date(0) } });
  assert.deepEqual(requests[0].query, { caller: "+34600", started_from: "1970-01-01T00:00:00.000Z" });
});

test("ids are one segment of the path, and an empty one is refused before anything is sent", async (t) => {
  const { url, requests } = await serve(t, () => ({ body: { call: {} } }));
  const frontdesk = new Frontdesk({ apiKey: key, baseUrl: url });
  await frontdesk.calls.get("a/b?c#d");
  assert.equal(requests[0].path, "/v1/calls/a%2Fb%3Fc%23d");
  for (const id of ["", ".", "..", undefined]) {
    assert.throws(() => frontdesk.calls.get(id), { name: "FrontdeskError", message: /id or slug/ });
  }
  assert.equal(requests.length, 1);
});

test("a path of one's own stays below /v1", async (t) => {
  const { url, requests } = await serve(t, () => ({ body: { new: true } }));
  const frontdesk = new Frontdesk({ apiKey: key, baseUrl: url });
  assert.deepEqual(await frontdesk.request("POST", "/something/new", { body: { a: 1 } }), { new: true });
  assert.deepEqual([requests[0].path, requests[0].body], ["/v1/something/new", '{"a":1}']);
  assert.ok(requests[0].headers["idempotency-key"]);
  for (const path of ["whoami", "/../console", "/%2e%2e/console", "@evil.example/", ".evil.example/"]) {
    await assert.rejects(async () => frontdesk.request("GET", path), { name: "FrontdeskError", message: /stay below/ });
  }
  assert.equal(requests.length, 1);
});

test("the response around a thing is in reach", async (t) => {
  const { url } = await serve(t, () => ({ headers: { etag: '"7"' }, body: { agent: { slug: "a" } } }));
  const { data, response } = await new Frontdesk({ apiKey: key, baseUrl: url }).agents.get("a").withResponse();
  assert.deepEqual(data, { slug: "a" });
  assert.deepEqual([response.status, response.requestId, response.etag], [200, "req_test", '"7"']);
});

test("unknown fields and values survive", async (t) => {
  const call = { id: "x", outcome: "teleported", future: { nested: [1] } };
  const { url } = await serve(t, () => ({ body: { call } }));
  assert.deepEqual(await new Frontdesk({ apiKey: key, baseUrl: url }).calls.get("x"), call);
});

test("an answer that is not JSON is an error, and so is an empty one", async (t) => {
  for (const body of ["<html>Welcome</html>", ""]) {
    const { url } = await serve(t, () => ({ body }));
    await assert.rejects(new Frontdesk({ apiKey: key, baseUrl: url }).whoami(), { name: "APIError", status: 200, message: /not JSON/ });
  }
});

const kinds = {
  InvalidRequestError: [400, "invalid_request_error", "parameter_invalid"],
  NotFoundError: [404, "invalid_request_error", "not_found"],
  AuthenticationError: [401, "authentication_error", "api_key_invalid"],
  PermissionDeniedError: [403, "permission_error", "scope_missing"],
  ConflictError: [409, "conflict_error", "slot_unavailable"],
  IdempotencyError: [409, "idempotency_error", "idempotency_key_reused"],
  RateLimitError: [429, "rate_limit_error", "rate_limited"],
  ServerError: [500, "api_error", "internal_error"],
  APIError: [418, "constructor", "teapot"],
};

for (const [name, [status, type, code]] of Object.entries(kinds)) {
  test(`${status} ${type} is ${name}`, async (t) => {
    const { url } = await serve(t, () => failure(status, type, code, { param: "limit", headers: { "retry-after": "7" } }));
    const error = await new Frontdesk({ apiKey: key, baseUrl: url, maxRetries: 0 }).whoami().catch((e) => e);
    assert.equal(error.constructor, sdk[name]);
    assert.equal(error.name, name);
    assert.ok(error instanceof sdk.APIError && error instanceof sdk.FrontdeskError);
    assert.equal(error instanceof sdk.InvalidRequestError, type === "invalid_request_error");
    assert.equal(error.message, `${status} ${code} (limit): This is ${code}. [req_test]`);
    const { type: t1, code: c1, param, requestId, detail, retryAfter } = error;
    assert.deepEqual([t1, c1, param, requestId, detail, retryAfter], [type, code, "limit", "req_test", `This is ${code}.`, 7]);
  });
}

test("an answer that is not the API's envelope is a plain APIError", async (t) => {
  for (const body of ["<html>Not Found</html>", { error: "no" }, { error: null }, null, []]) {
    const { url } = await serve(t, () => ({ status: 404, body }));
    const error = await new Frontdesk({ apiKey: key, baseUrl: url }).whoami().catch((e) => e);
    assert.equal(error.constructor, sdk.APIError);
    assert.deepEqual([error.status, error.type, error.code, error.requestId], [404, null, null, "req_test"]);
  }
});

function setEnv(t, values) {
  for (const [name, value] of Object.entries(values)) {
    const before = process.env[name];
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
    t.after(() => {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    });
  }
}
