import type { APIPromise } from "../answer.js";
import type { PagePromise } from "../page.js";
import { type RequestOptions, type RequestSpec, pathOf } from "../transport.js";
import type {
  AdditionalEventType,
  Connection,
  ConnectionEnvelope,
  ConnectionInput,
  ConnectionList,
  ConnectionListParams,
  ConnectionPatch,
  ConnectionWithSecret,
  ConnectionWithSecretEnvelope,
  ConnectorList,
  ConnectorListParams,
  DeletedConnection,
  DeliveryList,
  DeliveryListParams,
  DisableInput,
  RetryResult,
  RotateInput,
  TestResult,
} from "../types.js";
import { Resource } from "./resource.js";

/** The kinds of connections, with all that a receiver needs to know. */
export class Connectors extends Resource {
  list(params?: ConnectorListParams, options?: RequestOptions): PagePromise<ConnectorList> {
    return this.pages("/connectors", params, options);
  }
}

/** The addresses of yours that events are posted to. */
export class Connections extends Resource {
  list(params?: ConnectionListParams, options?: RequestOptions): PagePromise<ConnectionList> {
    return this.pages("/connections", params, options);
  }

  get(id: string, options?: RequestOptions): APIPromise<Connection> {
    return this.connection({ method: "GET", path: pathOf`/connections/${id}`, options });
  }

  /** Makes a connection. Keep the `secret`: it is shown here and never again. */
  create(input: ConnectionInput, options?: RequestOptions): APIPromise<ConnectionWithSecret> {
    return this.withSecret({ method: "POST", path: "/connections", body: input, options });
  }

  update(id: string, patch: ConnectionPatch, options?: RequestOptions): APIPromise<Connection> {
    return this.connection({ method: "PATCH", path: pathOf`/connections/${id}`, body: patch, options });
  }

  /** Ends the connection and its deliveries. */
  delete(id: string, options?: RequestOptions): APIPromise<DeletedConnection> {
    return this.whole({ method: "DELETE", path: pathOf`/connections/${id}`, options });
  }

  enable(id: string, options?: RequestOptions): APIPromise<Connection> {
    return this.connection({ method: "POST", path: pathOf`/connections/${id}/enable`, options });
  }

  disable(id: string, input?: DisableInput, options?: RequestOptions): APIPromise<Connection> {
    return this.connection({ method: "POST", path: pathOf`/connections/${id}/disable`, body: input, options });
  }

  /** Sends a signed test delivery at once and says how it went. */
  test(id: string, options?: RequestOptions): APIPromise<TestResult> {
    return this.whole({ method: "POST", path: pathOf`/connections/${id}/test`, options });
  }

  /** Makes a new secret; the old one signs as well for `grace_seconds`, a day by default. */
  rotateSecret(id: string, input?: RotateInput, options?: RequestOptions): APIPromise<ConnectionWithSecret> {
    return this.withSecret({ method: "POST", path: pathOf`/connections/${id}/rotate-secret`, body: input, options });
  }

  /** Replaces the list of events beyond the two that `events` can name. */
  setAdditionalEvents(id: string, events: AdditionalEventType[], options?: RequestOptions): APIPromise<Connection> {
    return this.connection({ method: "PUT", path: pathOf`/connections/${id}/additional-events`, body: { events }, options });
  }

  /** What was sent, and how it went. */
  deliveries(id: string, params?: DeliveryListParams, options?: RequestOptions): PagePromise<DeliveryList> {
    return this.pages(pathOf`/connections/${id}/deliveries`, params, options);
  }

  private connection(spec: RequestSpec): APIPromise<Connection> {
    return this.one<ConnectionEnvelope, "connection">("connection", spec);
  }

  private withSecret(spec: RequestSpec): APIPromise<ConnectionWithSecret> {
    return this.one<ConnectionWithSecretEnvelope, "connection">("connection", spec);
  }
}

/** Single deliveries. */
export class Deliveries extends Resource {
  /** Tries a failed delivery once more, at once. */
  retry(id: string, options?: RequestOptions): APIPromise<RetryResult> {
    return this.whole({ method: "POST", path: pathOf`/deliveries/${id}/retry`, options });
  }
}
