// Does what n8n does with a workflow of these five kinds of nodes: takes requests at
// its Webhook node, and hands an item from node to node.
//
//	node n8n.mjs workflow.json
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";

const AsyncFunction = (async () => {}).constructor;
const workflow = JSON.parse(readFileSync(process.argv[2], "utf8"));
const nodes = new Map(workflow.nodes.map((node) => [node.name, node]));

// value is a parameter, or what its expression gives.
function value(parameter, json) {
  const expression = /^=\{\{(.*)\}\}$/s.exec(parameter);
  return expression ? new Function("$json", `return (${expression[1]});`)(json) : parameter;
}

function holds({ leftValue, rightValue, operator }, json) {
  const left = value(leftValue, json);
  if (typeof left !== operator.type) throw new TypeError(`${leftValue} is a ${typeof left}, not a ${operator.type}`);
  switch (`${operator.type} ${operator.operation}`) {
    case "boolean true":
      return left;
    case "string equals":
      return left === value(rightValue, json);
  }
  throw new Error(`no such condition: ${JSON.stringify(operator)}`);
}

const pairs = (list, json) => Object.fromEntries(list.parameters.map(({ name, value: v }) => [name, value(v, json)]));

// kinds do what a node does, and say which of its outputs is gone on with.
const kinds = {
  "n8n-nodes-base.code": async ({ jsCode }, item) => {
    const run = new AsyncFunction("$input", "require", jsCode);
    const helpers = { getBinaryDataBuffer: async (index, name) => Buffer.from(item.binary[name].data, "base64") };
    const [made] = await run.call({ helpers }, { first: () => item }, createRequire(import.meta.url));
    return [0, made];
  },
  "n8n-nodes-base.if": async ({ conditions }, item) => [conditions.conditions.every((one) => holds(one, item.json)) ? 0 : 1, item],
  "n8n-nodes-base.httpRequest": async (p, item) => {
    const response = await fetch(value(p.url, item.json), {
      method: p.method,
      headers: { "Content-Type": "application/json", ...pairs(p.headerParameters, item.json) },
      body: JSON.stringify(pairs(p.bodyParameters, item.json)),
    });
    if (!response.ok) throw new Error(`the request was answered with ${response.status}`);
    return [0, { json: {} }];
  },
  "n8n-nodes-base.respondToWebhook": async (p, item, answer) => {
    answer(p.options.responseCode);
    return [0, item];
  },
};

const [start] = workflow.nodes.filter((node) => node.type === "n8n-nodes-base.webhook");

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { httpMethod, path, options } = start.parameters;
  if (request.method !== httpMethod || request.url !== `/webhook/${path}`) return response.writeHead(404).end();
  const raw = Buffer.concat(chunks);
  // With a raw body it is not parsed.
  let item = options.rawBody
    ? { json: { headers: request.headers, body: {} }, binary: { data: { data: raw.toString("base64") } } }
    : { json: { headers: request.headers, body: JSON.parse(raw) } };
  try {
    let name = start.name;
    for (let output = 0; ; ) {
      name = workflow.connections[name]?.main[output]?.[0]?.node;
      if (!name) break;
      const node = nodes.get(name);
      [output, item] = await kinds[node.type](node.parameters, item, (status) => response.writeHead(status).end());
    }
    if (!response.writableEnded) throw new Error("no node has answered");
  } catch (error) {
    console.error(String(error));
    response.writeHead(500).end();
  }
});
server.listen(0, "127.0.0.1", () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
