// Serves a page with a booking button. The key stays here: browsers never see it.
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import { ConflictError, Frontdesk, InvalidRequestError, type Slot } from "@frontdesk/sdk";

const { AGENT = "dental-la-plaza", SERVICE = "limpieza", PORT = "9000" } = process.env;
const frontdesk = new Frontdesk(); // FRONTDESK_API_KEY, FRONTDESK_BASE_URL

const day = (n: number): string => new Date(Date.now() + n * 24 * 3600 * 1000).toISOString().slice(0, 10);

async function free(): Promise<Slot[]> {
  const { days } = await frontdesk.agents.availability(AGENT, { from: day(0), to: day(14), service_id: SERVICE });
  return days.flatMap(({ slots }) => slots);
}

function nearest(slots: Slot[], wanted: string): Slot | null {
  const distance = (slot: Slot) => Math.abs(Date.parse(slot.scheduled_at) - Date.parse(wanted));
  return slots.reduce<Slot | null>((best, slot) => (best && distance(best) <= distance(slot) ? best : slot), null);
}

type Answer = [status: number, body: object];

async function book(request: IncomingMessage): Promise<Answer> {
  let text = "";
  for await (const chunk of request) if ((text += chunk).length > 4096) return [413, { error: "too long" }];
  // Nothing else is taken over from the browser: no status, and no force.
  const { attempt, scheduled_at, name, phone } = JSON.parse(text) as Record<string, unknown>;
  for (const value of [attempt, scheduled_at, name, phone]) {
    if (typeof value !== "string" || value === "" || value.length > 100) return [400, { error: "name, telephone and time are needed" }];
  }
  const wanted = String(scheduled_at);
  try {
    const capture = await frontdesk.captures.create(
      { agent: AGENT, service_id: SERVICE, scheduled_at: wanted, customer_name: String(name), customer_phone: String(phone) },
      { idempotencyKey: `booking-${attempt}` },
    );
    return [201, { scheduled_at: capture.scheduled_at, code: capture.confirmation_code }];
  } catch (error) {
    if (error instanceof ConflictError) return [409, { nearest: nearest(await free(), wanted)?.scheduled_at ?? null }];
    if (error instanceof InvalidRequestError) return [400, { error: error.detail }];
    throw error;
  }
}

const server = createServer(async (request, response) => {
  const send = ([status, body]: Answer) => response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  try {
    switch (`${request.method} ${request.url}`) {
      case "GET /":
        return response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(await readFile(new URL("index.html", import.meta.url)));
      case "GET /slots":
        return send([200, { slots: (await free()).map((slot) => slot.scheduled_at) }]);
      case "POST /book":
        return send(await book(request));
    }
    return send([404, { error: "not there" }]);
  } catch (error) {
    console.error(String(error)); // names the request id, never the key
    return send(error instanceof SyntaxError ? [400, { error: "no JSON" }] : [502, { error: "booking does not work at the moment, please call" }]);
  }
});
server.listen(Number(PORT), "127.0.0.1", () => console.log(`listening on http://127.0.0.1:${(server.address() as { port: number }).port}`));
