import type { APIPromise } from "../answer.js";
import type { ListEnvelope, PagePromise } from "../page.js";
import type { RequestOptions } from "../transport.js";
import type { Analytics, AnalyticsParams, Scope, Usage, Voice } from "../types.js";
import { Resource } from "./resource.js";

/** The scopes that keys can have. */
export class Scopes extends Resource {
  /** All scopes, with which of them this key has. */
  list(options?: RequestOptions): PagePromise<ListEnvelope<Scope>> {
    return this.all("scopes", "/scopes", options);
  }
}

/** How much was used. */
export class UsageResource extends Resource {
  /** Seconds and calls per month, and what the plan allows. */
  get(options?: RequestOptions): APIPromise<Usage> {
    return this.whole({ method: "GET", path: "/usage", options });
  }
}

/** The voices an agent can speak with. */
export class Voices extends Resource {
  list(options?: RequestOptions): PagePromise<ListEnvelope<Voice>> {
    return this.all("voices", "/voices", options);
  }
}

/** Figures about calls. */
export class AnalyticsResource extends Resource {
  /** Figures per day and hour, and in all. */
  get(params?: AnalyticsParams, options?: RequestOptions): APIPromise<Analytics> {
    return this.whole({ method: "GET", path: "/analytics", query: params, options });
  }
}
