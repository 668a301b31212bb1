// Posts a message to a channel for every urgent call, and for no other.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { SignatureError, webhooks } from "@frontdesk/sdk";

const { CHANNEL_URL, WEBHOOK_SECRETS = "", TOLD = "told.txt", PORT = "9000" } = process.env;

// The events that were told of, or are being told of now.
const told = new Set(existsSync(TOLD) ? readFileSync(TOLD, "utf8").split("\n") : []);

// What a caller said must not become a link or call everybody in the channel.
const plain = (text) => String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

function message(event) {
  const call = event.data.object;
  const title = plain(call.summary.title);
  const facts = [`*Caller*\n${plain(call.caller ?? "unknown")}`, `*Agent*\n${plain(event.agent?.slug ?? "none")}`, `*Outcome*\n${plain(call.outcome)}`];
  return {
    text: `Urgent call: ${title}`, // for notifications
    blocks: [
      { type: "header", text: { type: "plain_text", text: `Urgent call: ${call.summary.title}`.slice(0, 150) } },
      { type: "section", text: { type: "mrkdwn", text: plain(call.summary.text).slice(0, 2900) } },
      { type: "section", fields: facts.map((text) => ({ type: "mrkdwn", text })) },
      { type: "context", elements: [{ type: "mrkdwn", text: `${call.started_at}, call ${call.id}` }] },
    ],
  };
}

async function handle(event) {
  if (event.type !== "call.completed" || event.data.object.summary?.urgency !== "urgent" || told.has(event.id)) return;
  told.add(event.id); // at once: the same event may come a second time meanwhile
  try {
    const response = await fetch(CHANNEL_URL, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(message(event)),
      signal: AbortSignal.timeout(10_000),
    });
    if (!response.ok) throw new Error(`the channel answered ${response.status}`);
    appendFileSync(TOLD, event.id + "\n");
  } catch (error) {
    told.delete(event.id);
    throw error;
  }
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    await handle(await webhooks.verify(Buffer.concat(chunks), request.headers, WEBHOOK_SECRETS.split(",")));
    response.writeHead(204).end();
  } catch (error) {
    console.error(String(error));
    response.writeHead(error instanceof SignatureError ? 401 : 503).end(); // 503: it comes again
  }
});
server.listen(Number(PORT), "127.0.0.1", () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
