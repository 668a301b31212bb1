// The tasks of docs/sdk.md, which shows what stands between the marks.
import { readFileSync } from "node:fs";

// task 1
import { Frontdesk } from "@frontdesk/sdk";

const frontdesk = new Frontdesk(); // FRONTDESK_API_KEY, FRONTDESK_BASE_URL
const me = await frontdesk.whoami();
console.log(`1: key of ${me.tenant.slug}, live: ${me.livemode}`);
// end

// task 2
const lastWeek = new Date(Date.now() - 7 * 24 * 3600 * 1000);
let booked = 0;
for await (const call of frontdesk.calls.list({ outcome: "booking", started_from: lastWeek })) {
  if (booked++ === 0) console.log(`2: newest: ${call.summary?.title}`);
}
console.log(`2: ${booked} bookings in a week`);
// end

// task 3
const page = await frontdesk.calls.list({ limit: 1 });
const call = await frontdesk.calls.get(page.data[0].id);
for (const turn of call.transcript?.turns ?? []) {
  console.log(`3: ${turn.role}: ${turn.text}`);
}
// end

// task 4
const day = (n) => new Date(Date.now() + n * 24 * 3600 * 1000).toISOString().slice(0, 10);
const free = await frontdesk.agents.availability("dental-la-plaza", {
  from: day(1), to: day(8), service_id: "limpieza",
});
const slots = free.days.flatMap((d) => d.slots);
let appointment = await frontdesk.captures.create({
  agent: "dental-la-plaza",
  service_id: "limpieza",
  scheduled_at: slots[0].scheduled_at,
  customer_name: "Lucía Ejemplo",
  customer_phone: "+34600000012",
});
console.log(`4: booked ${appointment.service}, code ${appointment.confirmation_code}`);
// end

// task 5
const { response } = await frontdesk.captures.get(appointment.id).withResponse();
appointment = await frontdesk.captures.change(
  appointment.id,
  { scheduled_at: slots[slots.length - 1].scheduled_at, notes: null },
  { ifMatch: response.etag },
);
appointment = await frontdesk.captures.setStatus(appointment.id, "cancelled");
console.log(`5: the appointment is ${appointment.status}`);
// end

// task 6
const patch = { specials: "Hoy: arroz con bogavante" };
const preview = await frontdesk.agents.preview("casa-lola", patch);
for (const change of preview.changes) console.log(`6: ${change.path} would be ${change.to}`);
const agent = await frontdesk.agents.update("casa-lola", patch);
console.log(`6: now ${agent.config.specials}`);
// end

// task 7
const text = new TextEncoder().encode("# Parking\n\nThere is free parking behind the shop for two hours.\n");
let { document } = await frontdesk.knowledge.documents.upload(text, { filename: "parking.md" });
while (document.status === "pending" || document.status === "processing") {
  await new Promise((done) => setTimeout(done, 500));
  document = await frontdesk.knowledge.documents.get(document.id);
}
const answer = await frontdesk.knowledge.ask({ question: "Is there parking behind the shop?" });
console.log(`7: answered: ${answer.answered}, from ${answer.sources[0]?.title}`);
// end

// task 8
const connection = await frontdesk.connections.create({
  name: "CRM",
  url: "https://crm.example.com/frontdesk",
  events: ["capture.created", "call.completed"],
});
console.log(`8: keep the secret ${connection.secret.slice(0, 10)}…`); // it is not shown again
// end

const received = JSON.parse(readFileSync(process.env.TASKS_WEBHOOK, "utf8"));
const { body, headers, secrets } = received;

// task 9
import { webhooks } from "@frontdesk/sdk";

// In your receiver: body is the bytes as they came, secrets is one or, after a rotation, two.
const event = await webhooks.verify(body, headers, secrets);
if (event.type === "capture.created") {
  const capture = event.data.object;
  console.log(`9: ${capture.customer_name} left a ${capture.kind}`);
}
// end

// task 10
import { APIConnectionError, APIError, NotFoundError } from "@frontdesk/sdk";

try {
  await frontdesk.calls.get("no-such-call", { timeout: 5_000, maxRetries: 0 });
} catch (error) {
  if (error instanceof NotFoundError) console.log(`10: not there: ${error.code}`);
  else if (error instanceof APIError) console.log(`10: ${error.message}`); // names the request id
  else if (error instanceof APIConnectionError) console.log("10: no answer");
  else throw error;
}
// end
