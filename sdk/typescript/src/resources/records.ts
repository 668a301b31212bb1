import type { APIPromise } from "../answer.js";
import type { PagePromise } from "../page.js";
import { type ChangeOptions, type RequestOptions, type RequestSpec, pathOf } from "../transport.js";
import type {
  CallDetail,
  CallEnvelope,
  CallList,
  CallListParams,
  Capture,
  CaptureChange,
  CaptureEnvelope,
  CaptureInput,
  CaptureList,
  CaptureListParams,
  CaptureStatus,
  EventEnvelope,
  EventList,
  EventListParams,
  NoticeList,
  NoticeListParams,
  RecordedEvent,
} from "../types.js";
import { Resource } from "./resource.js";

/** The calls that the receptionist took. */
export class Calls extends Resource {
  list(params?: CallListParams, options?: RequestOptions): PagePromise<CallList> {
    return this.pages("/calls", params, options);
  }

  /** One call, with its transcript. */
  get(id: string, options?: RequestOptions): APIPromise<CallDetail> {
    return this.one<CallEnvelope, "call">("call", { method: "GET", path: pathOf`/calls/${id}`, options });
  }
}

/** What came of calls: appointments, leads, orders, callbacks, messages. */
export class Captures extends Resource {
  list(params?: CaptureListParams, options?: RequestOptions): PagePromise<CaptureList> {
    return this.pages("/captures", params, options);
  }

  get(id: string, options?: RequestOptions): APIPromise<Capture> {
    return this.capture({ method: "GET", path: pathOf`/captures/${id}`, options });
  }

  /** Writes one of the business's own, into the same book that callers are booked into. */
  create(input: CaptureInput, options?: RequestOptions): APIPromise<Capture> {
    return this.capture({ method: "POST", path: "/captures", body: input, options });
  }

  /** Confirms it, cancels it, or marks it as a no-show. */
  setStatus(id: string, status: CaptureStatus, options?: RequestOptions): APIPromise<Capture> {
    return this.capture({ method: "PATCH", path: pathOf`/captures/${id}`, body: { status }, options });
  }

  /** Moves it or changes what is written in it; null clears a field. */
  change(id: string, change: CaptureChange, options?: ChangeOptions): APIPromise<Capture> {
    return this.capture({ method: "POST", path: pathOf`/captures/${id}/change`, body: change, options });
  }

  private capture(spec: RequestSpec): APIPromise<Capture> {
    return this.one<CaptureEnvelope, "capture">("capture", spec);
  }
}

/** What was sent to customers and owners: confirmations, reminders, notices. */
export class Notices extends Resource {
  list(params?: NoticeListParams, options?: RequestOptions): PagePromise<NoticeList> {
    return this.pages("/notices", params, options);
  }
}

/** The events of the last 30 days, for who missed a webhook. */
export class Events extends Resource {
  list(params?: EventListParams, options?: RequestOptions): PagePromise<EventList> {
    return this.pages("/events", params, options);
  }

  get(id: string, options?: RequestOptions): APIPromise<RecordedEvent> {
    return this.one<EventEnvelope, "event">("event", { method: "GET", path: pathOf`/events/${id}`, options });
  }
}
