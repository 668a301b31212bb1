/** Every error that this package raises by itself is one of these. */
export class FrontdeskError extends Error {}

/** What the server said about a request that it refused. */
export interface ErrorAnswer {
  status: number;
  headers: Headers;
  /** The `error` object of the body; null when the body is not the API's envelope. */
  error: ErrorFields | null;
  /** What to say in place of the API's own sentence when there is none. */
  detail: string;
}

/** The five fields of the API's error envelope. */
export interface ErrorFields {
  type: string;
  code: string;
  message: string;
  param: string | null;
  request_id: string;
}

/** The server answered, and the answer is not a success. */
export class APIError extends FrontdeskError {
  /** The HTTP status. */
  readonly status: number;
  /** The kind of error, for example `invalid_request_error`; null when the answer was not the API's. */
  readonly type: string | null;
  /** What exactly is wrong, for example `parameter_invalid`. Branch on this. */
  readonly code: string | null;
  /** The path of the parameter that is wrong, for example `events[1]`. */
  readonly param: string | null;
  /** The id of the request, for the server's log and for support. */
  readonly requestId: string | null;
  /** The API's own sentence, without status, code and request id. Show this to people. */
  readonly detail: string;
  /** The headers of the answer. */
  readonly headers: Headers;
  /** How many seconds the server asks to wait; null when it does not say. */
  readonly retryAfter: number | null;

  constructor(answer: ErrorAnswer) {
    const { status, headers, error } = answer;
    const requestId = error?.request_id || headers.get("x-request-id");
    super(line(answer, requestId));
    this.status = status;
    this.type = error?.type ?? null;
    this.code = error?.code ?? null;
    this.param = error?.param ?? null;
    this.requestId = requestId;
    this.detail = error?.message ?? answer.detail;
    this.headers = headers;
    this.retryAfter = retryAfterSeconds(headers, Date.now());
  }
}

/** Something about the request is wrong: 400, 404, 405, 412, 413. */
export class InvalidRequestError extends APIError {}
/** 404: it does not exist, or belongs to another account or to the other mode. */
export class NotFoundError extends InvalidRequestError {}
/** 401: the key is missing, unknown, expired or revoked. */
export class AuthenticationError extends APIError {}
/** 403: the key lacks the scope, a live key is needed, or a field is protected. */
export class PermissionDeniedError extends APIError {}
/** 409: the place in the calendar is taken, or the capture cannot be changed as it stands. */
export class ConflictError extends APIError {}
/** 409: the Idempotency-Key was used for another request, or its request is still running. */
export class IdempotencyError extends APIError {}
/** 429: too many requests with this key. */
export class RateLimitError extends APIError {}
/** 500, 502, 503: a fault on the server's side. */
export class ServerError extends APIError {}

/** No answer came: the connection failed or broke. */
export class APIConnectionError extends FrontdeskError {}
/** No complete answer came within `timeout`. */
export class APITimeoutError extends APIConnectionError {}

/** Which check of a webhook failed. */
export type SignatureCheck = "secret" | "headers" | "timestamp" | "signature" | "body";

/** A webhook that must not be trusted. */
export class SignatureError extends FrontdeskError {
  /** The check that failed. */
  readonly check: SignatureCheck;

  constructor(check: SignatureCheck, message: string) {
    super(message);
    this.check = check;
  }
}

// Names are set by hand, for bundlers that shorten the names of classes.
for (const [name, { prototype }] of Object.entries({
  FrontdeskError,
  APIError,
  InvalidRequestError,
  NotFoundError,
  AuthenticationError,
  PermissionDeniedError,
  ConflictError,
  IdempotencyError,
  RateLimitError,
  ServerError,
  APIConnectionError,
  APITimeoutError,
  SignatureError,
})) {
  Object.defineProperty(prototype, "name", { value: name, configurable: true, writable: true });
}

const byType: { [type: string]: new (answer: ErrorAnswer) => APIError } = {
  invalid_request_error: InvalidRequestError,
  authentication_error: AuthenticationError,
  permission_error: PermissionDeniedError,
  conflict_error: ConflictError,
  idempotency_error: IdempotencyError,
  rate_limit_error: RateLimitError,
  api_error: ServerError,
};

/** errorFor makes the error of an answer; one of a kind that is not known here is a plain APIError. */
export function errorFor(answer: ErrorAnswer): APIError {
  const type = answer.error?.type ?? "";
  if (type === "invalid_request_error" && answer.status === 404) return new NotFoundError(answer);
  const known = Object.hasOwn(byType, type) ? byType[type] : undefined;
  return new (known ?? APIError)(answer);
}

/** errorFields finds the API's envelope in a body, or null. */
export function errorFields(body: unknown): ErrorFields | null {
  const error = (body as { error?: unknown } | null | undefined)?.error as Partial<ErrorFields> | null | undefined;
  if (typeof error !== "object" || error === null) return null;
  const { type, code, message, param, request_id } = error;
  if (typeof type !== "string" || typeof code !== "string" || typeof message !== "string") return null;
  return { type, code, message, param: param ?? null, request_id: request_id ?? "" };
}

/** retryAfterSeconds reads `Retry-After`, which is a number of seconds or a date. */
export function retryAfterSeconds(headers: Headers, now: number): number | null {
  const text = headers.get("retry-after")?.trim();
  if (!text) return null;
  if (/^\d+$/.test(text)) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, (date - now) / 1000);
}

function line({ status, error, detail }: ErrorAnswer, requestId: string | null): string {
  const code = error ? ` ${error.code}` : "";
  const param = error?.param ? ` (${error.param})` : "";
  return `${status}${code}${param}: ${error?.message ?? detail}${requestId ? ` [${requestId}]` : ""}`;
}
