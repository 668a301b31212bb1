import assert from "node:assert/strict";
import { test } from "node:test";

import { Frontdesk, Page } from "../dist/esm/index.js";
import { again, key, serve } from "./server.mjs";

// Five items, two on a page.
function list({ query }) {
  const all = ["a", "b", "c", "d", "e"];
  const from = query.starting_after ? all.indexOf(query.starting_after) + 1 : 0;
  const data = all.slice(from, from + 2).map((id) => ({ id }));
  const more = from + 2 < all.length;
  return { body: { object: "list", data, has_more: more, next_starting_after: more ? data.at(-1).id : null, limits: { used: 5 } } };
}

test("a list can be iterated over to its end", async (t) => {
  const { url, requests } = await serve(t, list);
  const ids = [];
  for await (const call of new Frontdesk({ apiKey: key, baseUrl: url }).calls.list({ outcome: "booking", limit: 2 })) ids.push(call.id);
  assert.deepEqual(ids, ["a", "b", "c", "d", "e"]);
  assert.deepEqual(requests.map((r) => r.query), [
    { outcome: "booking", limit: "2" },
    { outcome: "booking", limit: "2", starting_after: "b" },
    { outcome: "booking", limit: "2", starting_after: "d" },
  ]);
});

test("leaving the loop early asks for no further page", async (t) => {
  const { url, requests } = await serve(t, list);
  for await (const call of new Frontdesk({ apiKey: key, baseUrl: url }).calls.list()) if (call.id === "b") break;
  assert.equal(requests.length, 1);
});

test("a page has its items, the way to the next, and the list as it was received", async (t) => {
  const { url } = await serve(t, list);
  const first = await new Frontdesk({ apiKey: key, baseUrl: url }).connections.list({ limit: 2 });
  assert.ok(first instanceof Page);
  assert.deepEqual([first.data.map((c) => c.id), first.hasMore, first.nextStartingAfter], [["a", "b"], true, "b"]);
  assert.equal(first.envelope.limits.used, 5);
  const third = await (await first.nextPage()).nextPage();
  assert.deepEqual([third.data, third.hasMore, third.nextStartingAfter], [[{ id: "e" }], false, null]);
  assert.equal(await third.nextPage(), null);
});

test("an awaited page can be iterated over as well, and its request id is in reach", async (t) => {
  const { url } = await serve(t, list);
  const { data, response } = await new Frontdesk({ apiKey: key, baseUrl: url }).calls.list().withResponse();
  const ids = [];
  for await (const { id } of data) ids.push(id);
  assert.equal(ids.length, 5);
  assert.equal(response.requestId, "req_test");
});

test("options hold for all pages, and each page is tried again by itself", async (t) => {
  const { url, requests } = await serve(t, (request, n) => (n % 2 === 1 ? again(503) : list(request)));
  const ids = [];
  const frontdesk = new Frontdesk({ apiKey: key, baseUrl: url, maxRetries: 0 });
  for await (const { id } of frontdesk.calls.list({}, { maxRetries: 1, headers: { "x-test": "1" } })) ids.push(id);
  assert.equal(ids.length, 5);
  assert.ok(requests.length === 6 && requests.every((r) => r.headers["x-test"] === "1"));
});

test("a list ends where there is no more, or no place to go on from", async (t) => {
  for (const end of [{ has_more: true, next_starting_after: null }, { has_more: false, next_starting_after: "a" }]) {
    const { url, requests } = await serve(t, () => ({ body: { data: [{ id: "a" }], ...end } }));
    const page = await new Frontdesk({ apiKey: key, baseUrl: url }).calls.list();
    assert.equal(page.hasMore, false);
    for await (const _ of page);
    assert.equal(requests.length, 1);
  }
});
