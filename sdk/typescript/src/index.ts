export { Frontdesk, type RawRequestOptions } from "./client.js";
export { Frontdesk as default } from "./client.js";
export { APIPromise, type Answer, type ResponseInfo } from "./answer.js";
export { type ListEnvelope, Page, PagePromise } from "./page.js";
export type { ChangeOptions, ClientOptions, Query, RequestOptions } from "./transport.js";
export type { Reopenable, Uploadable } from "./upload.js";
export type { UploadParams } from "./resources/knowledge.js";
export type { AgentPreview } from "./resources/agents.js";
export {
  APIConnectionError,
  APIError,
  APITimeoutError,
  AuthenticationError,
  ConflictError,
  FrontdeskError,
  IdempotencyError,
  InvalidRequestError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ServerError,
  type SignatureCheck,
  SignatureError,
} from "./errors.js";
export * as webhooks from "./webhooks.js";
export type { VerifyOptions, WebhookHeaders } from "./webhooks.js";
export { VERSION } from "./version.js";
export type * from "./types.js";
