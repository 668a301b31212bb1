// The conformance program: one scenario after the other against a server behind
// a proxy that misbehaves, and one line of JSON for each. The header
// X-Conformance tells the proxy which fault to make.

import { readFileSync } from "node:fs";

import { fileFromPath } from "@frontdesk/sdk/file";
import { APIError, APITimeoutError, Frontdesk, NotFoundError, RateLimitError, webhooks } from "@frontdesk/sdk";

const client = (scenario, options = {}) => new Frontdesk({ headers: { "X-Conformance": scenario }, ...options });

const scenarios = {
  "rate-limited": async (frontdesk) => {
    const { authenticated_as } = await frontdesk.whoami();
    return { detail: `authenticated as ${authenticated_as}` };
  },

  "unavailable-twice": (frontdesk) => createCapture(frontdesk),
  "reset-in-post": (frontdesk) => createCapture(frontdesk),

  "three-pages": async (frontdesk) => {
    const ids = [];
    for await (const { id } of frontdesk.captures.list({ limit: 2 })) ids.push(id);
    return { ids };
  },

  upload: async (frontdesk) => {
    const file = fileFromPath(process.env.CONFORMANCE_UPLOAD);
    const { document } = await frontdesk.knowledge.documents.upload(file, { filename: "conformance.txt" });
    return { document_id: document.id, size_bytes: document.size_bytes };
  },

  timeout: async (frontdesk) => {
    const error = await failureOf(frontdesk.whoami({ timeout: 300, maxRetries: 0 }), APITimeoutError);
    return { error: error.name };
  },

  "rotated-secret": async () => {
    const { secretOld, secretNew, cases } = JSON.parse(readFileSync(process.env.CONFORMANCE_WEBHOOK, "utf8"));
    const secretsOf = { old: [secretOld], new: [secretNew], both: [secretOld, secretNew] };
    const results = {};
    for (const { name, body, headers, secrets } of cases) {
      results[name] = await webhooks.verify(body, headers, secretsOf[secrets]).then(
        () => true,
        () => false,
      );
    }
    const wrong = cases.filter(({ name, ok }) => results[name] !== ok).map(({ name }) => name);
    return { results, ok: wrong.length === 0, detail: wrong.join(", ") };
  },

  "error-with-request-id": async (frontdesk) => {
    const error = await failureOf(frontdesk.calls.get("01900000-0000-7000-8000-000000000000"), NotFoundError);
    return { status: error.status, type: error.type, code: error.code, request_id: error.requestId };
  },

  "unknown-enum": async (frontdesk) => {
    const { data } = await frontdesk.captures.list({ limit: 1 });
    const { status, kind, future } = await frontdesk.captures.get(data[0].id);
    return { status, kind, future };
  },

  "retry-gives-up": async (frontdesk) => {
    const error = await failureOf(frontdesk.whoami({ maxRetries: 2 }), APIError);
    return { attempts_error: error.status };
  },

  "long-retry-after": async (frontdesk) => {
    const error = await failureOf(frontdesk.whoami(), RateLimitError);
    return { retry_after: error.retryAfter };
  },

  cancelled: async (frontdesk) => {
    const controller = new AbortController();
    const pending = frontdesk.whoami({ signal: controller.signal });
    setTimeout(() => controller.abort(), 100);
    const error = await failureOf(pending, DOMException);
    return { detail: error.name, ok: error.name === "AbortError" };
  },
};

for (const [scenario, run] of Object.entries(scenarios)) {
  const line = await run(client(scenario)).then(
    (values) => ({ scenario, ok: true, detail: "", ...values }),
    (error) => ({ scenario, ok: false, detail: String(error) }),
  );
  console.log(JSON.stringify(line));
}

async function createCapture(frontdesk) {
  const agents = await new Frontdesk().agents.list();
  const { id } = await frontdesk.captures.create({ agent: agents.data[0].slug, kind: "message", customer_name: "Conformance" });
  return { capture_id: id };
}

async function failureOf(promise, kind) {
  const error = await promise.then(
    () => undefined,
    (e) => e,
  );
  if (error instanceof kind) return error;
  throw new Error(`expected ${kind.name}, got ${error}`);
}
