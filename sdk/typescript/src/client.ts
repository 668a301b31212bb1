import { APIPromise } from "./answer.js";
import { AnalyticsResource, Scopes, UsageResource, Voices } from "./resources/account.js";
import { Agents } from "./resources/agents.js";
import { Connections, Connectors, Deliveries } from "./resources/connections.js";
import { KnowledgeResource } from "./resources/knowledge.js";
import { Calls, Captures, Events, Notices } from "./resources/records.js";
import { type ChangeOptions, type ClientOptions, type Query, type RequestOptions, Transport } from "./transport.js";
import type { Whoami } from "./types.js";
import { verify } from "./webhooks.js";

/** What can be said for a request that no method stands for. */
export interface RawRequestOptions extends ChangeOptions {
  query?: Query | undefined;
  /** Sent as JSON. */
  body?: unknown;
}

/**
 * The client of the frontdesk customer API.
 *
 *     const frontdesk = new Frontdesk();
 *     for await (const call of frontdesk.calls.list({ outcome: "booking" })) {
 *       console.log(call.started_at, call.duration_seconds);
 *     }
 *
 * A client holds no connection of its own and needs no closing.
 */
export class Frontdesk {
  readonly scopes: Scopes;
  readonly usage: UsageResource;
  readonly voices: Voices;
  readonly analytics: AnalyticsResource;
  readonly agents: Agents;
  readonly calls: Calls;
  readonly captures: Captures;
  readonly notices: Notices;
  readonly events: Events;
  readonly connectors: Connectors;
  readonly connections: Connections;
  readonly deliveries: Deliveries;
  readonly knowledge: KnowledgeResource;
  /** The same as the exported `webhooks`, which needs no client. */
  readonly webhooks = { verify };
  readonly #transport: Transport;

  constructor(options: ClientOptions = {}) {
    const transport = new Transport(options);
    this.#transport = transport;
    this.scopes = new Scopes(transport);
    this.usage = new UsageResource(transport);
    this.voices = new Voices(transport);
    this.analytics = new AnalyticsResource(transport);
    this.agents = new Agents(transport);
    this.calls = new Calls(transport);
    this.captures = new Captures(transport);
    this.notices = new Notices(transport);
    this.events = new Events(transport);
    this.connectors = new Connectors(transport);
    this.connections = new Connections(transport);
    this.deliveries = new Deliveries(transport);
    this.knowledge = new KnowledgeResource(transport);
  }

  /** Whose key this is, its mode and its scopes. */
  whoami(options?: RequestOptions): APIPromise<Whoami> {
    return this.request("GET", "/whoami", options);
  }

  /** The description of the API, an OpenAPI 3.1 document. */
  openapi(options?: RequestOptions): APIPromise<{ [key: string]: unknown }> {
    return this.request("GET", "/openapi.json", options);
  }

  /** The guide to the API in plain text. */
  llms(options?: RequestOptions): APIPromise<string> {
    return new APIPromise(this.#transport.send<string>({ method: "GET", path: "/llms.txt", text: true, options }));
  }

  /** request sends what this version of the package has no method for. The path is below /v1. */
  request<T = unknown>(method: string, path: string, options: RawRequestOptions = {}): APIPromise<T> {
    const { query, body, ...rest } = options;
    return new APIPromise(this.#transport.send<T>({ method: method.toUpperCase(), path, query, body, options: rest }));
  }
}
