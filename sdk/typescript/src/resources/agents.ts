import type { APIPromise } from "../answer.js";
import type { ListEnvelope, PagePromise } from "../page.js";
import { type ChangeOptions, type RequestOptions, type Transport, pathOf } from "../transport.js";
import type {
  Agenda,
  AgendaParams,
  Agent,
  AgentChanged,
  AgentEnvelope,
  AgentHistoryListParams,
  AgentPatch,
  Availability,
  AvailabilityParams,
  Calendar,
  Change,
  RevisionEnvelope,
  RevisionDetail,
  RevisionList,
} from "../types.js";
import { Resource } from "./resource.js";

/** What a patch would do. */
export interface AgentPreview extends AgentChanged {
  changes: Array<Change>;
}

/** The agents: what a business tells its receptionist. */
export class Agents extends Resource {
  /** What was changed, by whom, and how it was before. */
  readonly history: AgentHistory;
  /** The book of hours. */
  readonly calendar: AgentCalendar;

  constructor(transport: Transport) {
    super(transport);
    this.history = new AgentHistory(transport);
    this.calendar = new AgentCalendar(transport);
  }

  list(options?: RequestOptions): PagePromise<ListEnvelope<Agent>> {
    return this.all("agents", "/agents", options);
  }

  get(slug: string, options?: RequestOptions): APIPromise<Agent> {
    return this.one<AgentEnvelope, "agent">("agent", { method: "GET", path: pathOf`/agents/${slug}`, options });
  }

  /**
   * Changes the configuration. `hours`, `menu`, `products`, `services` and
   * `listings` are replaced whole; everything else is set property by property.
   */
  update(slug: string, patch: AgentPatch, options?: ChangeOptions): APIPromise<Agent> {
    return this.one<AgentChanged, "agent">("agent", { method: "PATCH", path: pathOf`/agents/${slug}`, body: patch, options });
  }

  /** Says what a patch would change, and changes nothing. */
  preview(slug: string, patch: AgentPatch, options?: ChangeOptions): APIPromise<AgentPreview> {
    return this.whole({ method: "PATCH", path: pathOf`/agents/${slug}`, query: { dry_run: true }, body: patch, options });
  }

  /** What can be booked; 31 days at most. */
  availability(slug: string, params: AvailabilityParams, options?: RequestOptions): APIPromise<Availability> {
    return this.whole({ method: "GET", path: pathOf`/agents/${slug}/availability`, query: params, options });
  }

  /** Who comes, day by day. */
  agenda(slug: string, params: AgendaParams, options?: RequestOptions): APIPromise<Agenda> {
    return this.whole({ method: "GET", path: pathOf`/agents/${slug}/agenda`, query: params, options });
  }
}

/** The revisions of an agent. */
export class AgentHistory extends Resource {
  list(slug: string, params?: AgentHistoryListParams, options?: RequestOptions): PagePromise<RevisionList> {
    return this.pages(pathOf`/agents/${slug}/history`, params, options);
  }

  /** Configuration, calendar and rules as they were. */
  get(slug: string, revision: string, options?: RequestOptions): APIPromise<RevisionDetail> {
    const path = pathOf`/agents/${slug}/history/${revision}`;
    return this.one<RevisionEnvelope, "revision">("revision", { method: "GET", path, options });
  }

  /** Makes the agent what it was at a revision. */
  restore(slug: string, revision: string, options?: ChangeOptions): APIPromise<Agent> {
    const path = pathOf`/agents/${slug}/history/${revision}/restore`;
    return this.one<AgentEnvelope, "agent">("agent", { method: "POST", path, options });
  }
}

/** The book of hours of an agent: openings, exceptions, resources, closures. */
export class AgentCalendar extends Resource {
  get(slug: string, options?: RequestOptions): APIPromise<Calendar> {
    return this.whole({ method: "GET", path: pathOf`/agents/${slug}/calendar`, options });
  }

  /** Replaces it whole: what is left out has its default. */
  replace(slug: string, calendar: Calendar, options?: ChangeOptions): APIPromise<Calendar> {
    return this.whole({ method: "PUT", path: pathOf`/agents/${slug}/calendar`, body: calendar, options });
  }
}
