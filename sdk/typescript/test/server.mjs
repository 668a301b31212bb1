// A real HTTP server on loopback that a test scripts.

import { createServer } from "node:http";

/**
 * serve starts a server that answers with what `answer` says: `{status, headers,
 * body}`, or "reset" to break the connection. `requests` holds what came in.
 */
export async function serve(t, answer) {
  const requests = [];
  const server = createServer(async (req, res) => {
    const { pathname, searchParams } = new URL(req.url, "http://localhost");
    const request = { method: req.method, path: pathname, query: Object.fromEntries(searchParams), headers: req.headers, body: "" };
    requests.push(request);
    const unread = answer.beforeBody?.(request, requests.length);
    if (!unread) {
      const chunks = [];
      for await (const chunk of req) chunks.push(chunk);
      request.body = Buffer.concat(chunks).toString();
    }
    write(req, res, unread ?? (await answer(request, requests.length)));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${server.address().port}`, requests };
}

function write(req, res, answer) {
  if (answer === "reset") {
    req.socket.resetAndDestroy();
    return;
  }
  const { status = 200, headers = {}, body = {} } = answer ?? {};
  const text = typeof body === "string" ? body : JSON.stringify(body);
  res.writeHead(status, { "content-type": "application/json", "x-request-id": "req_test", ...headers });
  res.end(text);
}

/** failure is an answer with the API's error envelope. */
export function failure(status, type, code, more = {}) {
  const { headers, ...fields } = more;
  const error = { type, code, message: `This is ${code}.`, param: null, request_id: "req_test", ...fields };
  return { status, headers, body: { error } };
}

/** again is an answer that can be tried again at once. */
export function again(status) {
  return failure(status, status === 429 ? "rate_limit_error" : "api_error", "again", { headers: { "retry-after": "0" } });
}

export const key = "svc_test_0123456789abcdefghijABCDEFGHIJ01234567";
