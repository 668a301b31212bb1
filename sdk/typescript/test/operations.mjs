// Every operation of the API by the method that stands for it, with every
// parameter that it has. coverage.test.mjs holds the table to the description,
// and the compiler holds it to the types.

const id = "01a1cf42-4ce8-7250-9e38-9491c542872f";
const slug = "clinica-aurora";
const page = { limit: 2, starting_after: id };
const idempotent = { idempotencyKey: "once" };
const versioned = { ifMatch: '"7"' };

/** @typedef {import("../dist/esm/index.js").Frontdesk} Frontdesk */

/** @type {Record<string, Array<(fd: Frontdesk) => PromiseLike<unknown>>>} */
export const operations = {
  getWhoami: [(fd) => fd.whoami()],
  listScopes: [(fd) => fd.scopes.list()],
  getUsage: [(fd) => fd.usage.get()],
  listVoices: [(fd) => fd.voices.list()],
  getAnalytics: [(fd) => fd.analytics.get({ days: 7, timezone: "Europe/Madrid", channel: "web", agent: slug })],

  listAgents: [(fd) => fd.agents.list()],
  getAgent: [(fd) => fd.agents.get(slug)],
  updateAgent: [
    (fd) => fd.agents.update(slug, { policy: "No smoking." }, versioned),
    (fd) => fd.agents.preview(slug, { hours: { 1: [9, 14] } }, versioned),
  ],
  listAgentHistory: [(fd) => fd.agents.history.list(slug, page)],
  getAgentRevision: [(fd) => fd.agents.history.get(slug, id)],
  restoreAgentRevision: [(fd) => fd.agents.history.restore(slug, id, { ...versioned, ...idempotent })],
  getCalendar: [(fd) => fd.agents.calendar.get(slug)],
  replaceCalendar: [(fd) => fd.agents.calendar.replace(slug, { openings: { 1: [["10:00", "14:00"]] } }, versioned)],
  getAvailability: [
    (fd) =>
      fd.agents.availability(slug, {
        from: "2026-12-01",
        to: "2026-12-02",
        service_id: "cleaning",
        party_size: 2,
        resource_id: "anna",
      }),
  ],
  getAgenda: [(fd) => fd.agents.agenda(slug, { from: "2026-12-01", to: "2026-12-02" })],

  listCalls: [
    (fd) =>
      fd.calls.list({
        ...page,
        outcome: "booking",
        channel: "phone",
        started_from: "2026-11-01T00:00:00.000Z",
        started_to: "2026-12-01T00:00:00.000Z",
        agent_id: id,
        language: "es",
        caller: "+34600111222",
        search: "parking",
      }),
  ],
  getCall: [(fd) => fd.calls.get(id)],

  listCaptures: [
    (fd) =>
      fd.captures.list({
        ...page,
        status: "confirmed",
        kind: "appointment",
        agent_id: id,
        scheduled_from: "2026-12-01",
        scheduled_to: "2026-12-02T15:00:00",
        updated_from: "2026-11-01T00:00:00.000Z",
        phone: "600111222",
      }),
  ],
  createCapture: [
    (fd) =>
      fd.captures.create(
        { agent: slug, scheduled_at: "2026-12-01T10:00:00", service_id: "cleaning", customer_name: "Ana" },
        idempotent,
      ),
  ],
  getCapture: [(fd) => fd.captures.get(id)],
  updateCapture: [(fd) => fd.captures.setStatus(id, "confirmed")],
  changeCapture: [(fd) => fd.captures.change(id, { scheduled_at: "2026-12-01T11:00:00", notes: null }, { ...versioned, ...idempotent })],
  listNotices: [(fd) => fd.notices.list({ ...page, status: "sent", kind: "reminder", capture_id: id })],
  listEvents: [(fd) => fd.events.list({ ...page, type: "capture.created", agent_id: id, created_from: "2026-11-01T00:00:00.000Z" })],
  getEvent: [(fd) => fd.events.get(id)],

  listConnectors: [(fd) => fd.connectors.list(page)],
  listConnections: [(fd) => fd.connections.list(page)],
  createConnection: [
    (fd) => fd.connections.create({ name: "CRM", url: "https://crm.example.com/hook", events: ["call.completed"] }, idempotent),
  ],
  getConnection: [(fd) => fd.connections.get(id)],
  updateConnection: [(fd) => fd.connections.update(id, { name: "CRM 2" })],
  deleteConnection: [(fd) => fd.connections.delete(id)],
  enableConnection: [(fd) => fd.connections.enable(id, idempotent)],
  disableConnection: [(fd) => fd.connections.disable(id, { reason: "moving" }, idempotent)],
  testConnection: [(fd) => fd.connections.test(id, idempotent)],
  rotateSecret: [(fd) => fd.connections.rotateSecret(id, { grace_seconds: 60 }, idempotent)],
  replaceAdditionalEvents: [(fd) => fd.connections.setAdditionalEvents(id, ["capture.updated"])],
  listDeliveries: [(fd) => fd.connections.deliveries(id, { ...page, status: "dead" })],
  retryDelivery: [(fd) => fd.deliveries.retry(id, idempotent)],

  getKnowledge: [(fd) => fd.knowledge.get()],
  testKnowledge: [(fd) => fd.knowledge.ask({ question: "Is there parking?", agent_id: id }, idempotent)],
  listDocuments: [(fd) => fd.knowledge.documents.list({ ...page, status: "ready", agent_id: id })],
  uploadDocument: [
    (fd) => fd.knowledge.documents.upload("# Parking", { filename: "faq.md", title: "FAQ", agent_id: id }, idempotent),
  ],
  getDocument: [(fd) => fd.knowledge.documents.get(id)],
  deleteDocument: [(fd) => fd.knowledge.documents.delete(id)],

  getOpenapi: [(fd) => fd.openapi()],
  getLlmsTxt: [(fd) => fd.llms()],
};
