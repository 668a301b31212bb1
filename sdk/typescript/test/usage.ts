// What the types allow and what they refuse. The compiler reads it; nothing runs it.

import {
  APIError,
  type Call,
  type Capture,
  Frontdesk,
  type Received,
  type UploadResult,
  webhooks,
} from "@frontdesk/sdk";
import { fileFromPath } from "@frontdesk/sdk/file";

const frontdesk = new Frontdesk({ apiKey: "svc_test_…", timeout: 5_000, maxRetries: undefined });

export async function lists(agent: string | undefined): Promise<string[]> {
  const ids: string[] = [];
  // Undefined is as good as left out, also where that is checked exactly.
  for await (const call of frontdesk.calls.list({ outcome: "booking", agent_id: agent, limit: undefined })) {
    const duration: number = call.duration_seconds;
    if (duration > 0) ids.push(call.id);
    // @ts-expect-error a call has no such field
    call.outcom;
  }
  const page = await frontdesk.connections.list();
  const left: number = page.envelope.limits.remaining;
  const next = await page.nextPage();
  // @ts-expect-error there may be no next page
  next.data;
  // @ts-expect-error a mistyped filter must not compile
  frontdesk.calls.list({ outcom: "booking" });
  const agents = await frontdesk.agents.list();
  return [...ids, String(left), ...agents.data.map(({ slug }) => slug)];
}

export async function openEnumsAndUnknownFields(id: string): Promise<unknown> {
  const capture: Capture = await frontdesk.captures.get(id);
  switch (capture.status) {
    case "confirmed":
      break;
    // A value that nobody knows yet.
    case "postponed":
      break;
  }
  // @ts-expect-error it may be null
  const when: string = capture.scheduled_at;
  return [when, (capture as Received<Capture>)["future"]];
}

export async function writes(): Promise<UploadResult> {
  await frontdesk.captures.create({ agent: "clinica-aurora", customer_name: "Ana" }, { idempotencyKey: "order-17" });
  await frontdesk.captures.change("id", { notes: null, party_size: 3 }, { ifMatch: '"7"', signal: AbortSignal.timeout(1_000) });
  // @ts-expect-error a status is needed
  await frontdesk.captures.setStatus("id");
  // @ts-expect-error the slug is missing
  await frontdesk.agents.get();
  const { agent, changes } = await frontdesk.agents.preview("clinica-aurora", { hours: { 6: [10, 14] } });
  for (const { path, from, to } of changes) console.log(agent.slug, path, from, to);
  const { data, response } = await frontdesk.agents.get("clinica-aurora").withResponse();
  await frontdesk.agents.update(data.slug, { policy: "" }, { ifMatch: response.etag });
  const connection = await frontdesk.connections.create({ name: "CRM", url: "https://crm.example.com", events: ["call.completed"] });
  const secret: string = connection.secret;
  console.log(secret.length);
  return frontdesk.knowledge.documents.upload(fileFromPath("faq.md"), { title: "FAQ" });
}

export async function receives(request: Request): Promise<Capture | Call | null> {
  const event = await webhooks.verify(await request.text(), request.headers, ["whsec_old", "whsec_new"]);
  switch (event.type) {
    case "capture.created":
    case "capture.updated":
      return event.data.object;
    case "call.completed":
      return event.data.object;
    default:
      return null;
  }
}

export function explains(error: unknown): string {
  if (!(error instanceof APIError)) return "no answer";
  const seconds: number | null = error.retryAfter;
  return `${error.status} ${error.code ?? ""} ${error.requestId ?? ""} ${seconds ?? ""}`;
}

export async function further(): Promise<number> {
  const { total } = await frontdesk.request<{ total: number }>("GET", "/something/new", { query: { since: new Date() } });
  return total;
}
