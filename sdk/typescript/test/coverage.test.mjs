import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Frontdesk, Page } from "../dist/esm/index.js";
import { operations } from "./operations.mjs";
import { key, serve } from "./server.mjs";

const description = JSON.parse(readFileSync(new URL("../../../internal/description/openapi.json", import.meta.url)));

// The name of a file goes in the query; the header is the other way to say it.
const leftOut = { uploadDocument: ["X-Service-Filename"] };

function resolve(value) {
  if (!value?.$ref) return value;
  return resolve(value.$ref.slice(2).split("/").reduce((at, name) => at[name], description));
}

function* described() {
  for (const [path, item] of Object.entries(description.paths)) {
    for (const [method, operation] of Object.entries(item)) yield { path, method: method.toUpperCase(), operation };
  }
}

test("every operation has a method, and every method an operation", () => {
  const names = [...described()].map(({ operation }) => operation.operationId);
  assert.deepEqual(Object.keys(operations).sort(), names.sort());
});

for (const { path, method, operation } of described()) {
  const name = operation.operationId;
  test(`${name}: ${method} ${path}, all its parameters, and its answer unwrapped`, async (t) => {
    const answer = exampleOf(operation);
    const { url, requests } = await serve(t, () => answer);
    const frontdesk = new Frontdesk({ apiKey: key, baseUrl: url });
    const results = [];
    for (const call of operations[name] ?? []) results.push(await call(frontdesk));

    assert.ok(requests.length > 0, "no request was made");
    for (const request of requests) {
      assert.equal(request.method, method);
      assert.match(request.path, new RegExp(`^/v1${path.replace(/\{\w+\}/g, "[^/]+").replaceAll(".", "\\.")}$`));
    }
    const parameters = (operation.parameters ?? []).map(resolve);
    const named = (where) => parameters.filter((p) => p.in === where).map((p) => p.name).sort();
    assert.deepEqual([...new Set(requests.flatMap((r) => Object.keys(r.query)))].sort(), named("query"));
    for (const header of named("header").filter((h) => !leftOut[name]?.includes(h))) {
      assert.ok(requests.every((r) => r.headers[header.toLowerCase()]), `${header} was not sent`);
    }
    checkBody(operation, requests);
    for (const result of results) checkResult(answer.body, result);
  });
}

// The answer is the description's own example.
function exampleOf(operation) {
  const [status, response] = Object.entries(operation.responses).find(([code]) => code.startsWith("2"));
  const [content] = Object.values(resolve(response).content);
  return { status: Number(status), body: Object.values(content.examples)[0].value };
}

function checkBody(operation, requests) {
  for (const { body, headers } of requests) {
    if (!operation.requestBody) {
      assert.equal(body, "");
      continue;
    }
    const content = resolve(operation.requestBody).content;
    assert.ok(content[headers["content-type"]], `content-type ${headers["content-type"]}`);
    if (!content["application/json"]) continue;
    const allowed = propertiesOf(content["application/json"].schema);
    for (const property of Object.keys(JSON.parse(body))) assert.ok(allowed.has(property), `property ${property}`);
  }
}

function propertiesOf(schema) {
  const { properties = {}, oneOf = [] } = resolve(schema);
  return new Set([...Object.keys(properties), ...oneOf.flatMap((s) => [...propertiesOf(s)])]);
}

// A list is a page of the items; an envelope with one thing in it is that thing.
function checkResult(body, result) {
  if (result instanceof Page) {
    const items = body.data ?? Object.values(body)[0];
    assert.deepEqual(result.data, items);
    return;
  }
  const [name] = Object.keys(body);
  const enveloped = ["call", "capture", "agent", "connection", "document", "event", "revision"].includes(name);
  // A preview and an upload are whole answers: there is more in them than the one thing.
  assert.deepEqual(result, enveloped && typeof result[name] !== "object" ? body[name] : body);
}
