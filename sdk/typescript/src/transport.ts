import type { Answer, ResponseInfo } from "./answer.js";
import { env } from "./env.js";
import { APIConnectionError, APIError, APITimeoutError, FrontdeskError, errorFields, errorFor } from "./errors.js";
import { answerLost, pause, waitBefore } from "./retries.js";
import { type RequestBody, wholeBody } from "./upload.js";
import { VERSION } from "./version.js";

/** What a client is made of. Everything has a default. */
export interface ClientOptions {
  /** The API key; by default the environment variable FRONTDESK_API_KEY. */
  apiKey?: string | undefined;
  /** Where the server is, without /v1; by default FRONTDESK_BASE_URL, else http://127.0.0.1:8080. */
  baseUrl?: string | undefined;
  /** How many milliseconds each attempt may take, the answer's body included; by default 30,000. */
  timeout?: number | undefined;
  /** How often a request is repeated that failed for a passing reason; by default 2. */
  maxRetries?: number | undefined;
  /** Headers for every request. */
  headers?: Record<string, string> | undefined;
  /** The fetch to use in place of the run time's. */
  fetch?: typeof fetch | undefined;
}

/** What can be said for one request. */
export interface RequestOptions {
  /** How many milliseconds each attempt may take. */
  timeout?: number | undefined;
  /** How often it is repeated when it fails for a passing reason. */
  maxRetries?: number | undefined;
  /** The key under which a POST is carried out once; by default a new one for each call. */
  idempotencyKey?: string | undefined;
  /** Further headers. */
  headers?: Record<string, string> | undefined;
  /** Ends the request, its waits included, with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** What can be said for one change of a thing that has versions. */
export interface ChangeOptions extends RequestOptions {
  /**
   * The `etag` of the version that was read: a change of any other is refused
   * with 412. With null or nothing, the last change wins.
   */
  ifMatch?: string | null | undefined;
}

/** The values of a query; what is undefined is left out. */
export type Query = { readonly [name: string]: string | number | boolean | Date | undefined };

/** A request as a resource describes it. */
export interface RequestSpec {
  method: string;
  /** The path below /v1. */
  path: string;
  // An object type without index signature is no Query, so this is wider.
  query?: object | undefined;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is, in place of body. */
  upload?: { body: RequestBody; contentType: string } | undefined;
  /** Whether the answer is text, not JSON. */
  text?: boolean;
  options?: ChangeOptions | undefined;
}

const defaultBaseUrl = "http://127.0.0.1:8080";
const defaultTimeoutMs = 30_000;
const defaultMaxRetries = 2;
// A longer timer would fire at once; such a limit is none.
const longestTimerMs = 2 ** 31 - 1;

/** Transport sends requests: key, headers, time limits, repetitions, errors. */
export class Transport {
  readonly baseUrl: string;
  // Private in fact, so that nothing that prints a client prints the key.
  readonly #apiKey: string;
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#apiKey = apiKeyFrom(options.apiKey ?? env("FRONTDESK_API_KEY"));
    this.baseUrl = baseUrlFrom(options.baseUrl ?? env("FRONTDESK_BASE_URL") ?? defaultBaseUrl);
    this.#options = options;
  }

  /** send carries a request out, with as many attempts as it takes and may. */
  async send<T>(spec: RequestSpec): Promise<Answer<T>> {
    const attempt = this.#prepare<T>(spec);
    const { signal, maxRetries = this.#options.maxRetries ?? defaultMaxRetries } = spec.options ?? {};
    let lost = false;
    try {
      for (let retry = 0; ; retry++) {
        signal?.throwIfAborted();
        try {
          return await attempt();
        } catch (error) {
          if (lost && isGone(spec, error)) return deletedBefore<T>(spec, error);
          lost ||= answerLost(error);
          if (retry >= maxRetries || spec.upload?.body.repeatable() === false) throw error;
          const wait = waitBefore(error, retry, Math.random());
          if (wait === null) throw error;
          await pause(wait, signal);
        }
      }
    } finally {
      spec.upload?.body.release();
    }
  }

  // Everything that is wrong with the request itself is found here, before the
  // first attempt. All attempts have the same headers, the Idempotency-Key among them.
  #prepare<T>(spec: RequestSpec): () => Promise<Answer<T>> {
    const url = this.#url(spec);
    const headers = this.#headers(spec);
    const body = spec.upload?.body ?? jsonBody(spec.body);
    const timeout = spec.options?.timeout ?? this.#options.timeout ?? defaultTimeoutMs;
    return () => this.#attempt<T>(spec, url, headers, body, timeout);
  }

  async #attempt<T>(
    spec: RequestSpec,
    url: string,
    headers: Headers,
    body: RequestBody | undefined,
    timeout: number,
  ): Promise<Answer<T>> {
    const limit = new Limit(timeout, spec.options?.signal);
    try {
      const init: RequestInit & { duplex?: "half" } = {
        method: spec.method,
        headers,
        redirect: "manual",
        signal: limit.signal,
      };
      if (body) {
        init.body = body.next() as BodyInit;
        // Required where the body is a stream.
        init.duplex = "half";
      }
      const response = await (this.#options.fetch ?? globalThis.fetch)(url, init);
      return this.#read<T>(spec, response, await response.text());
    } catch (error) {
      if (error instanceof FrontdeskError) throw error;
      // A file that cannot be read is no fault of the connection.
      const unreadable = body?.failure();
      throw unreadable ? unreadable.error : limit.explain(error, spec);
    } finally {
      limit.end();
    }
  }

  #read<T>(spec: RequestSpec, response: Response, text: string): Answer<T> {
    const { status, headers } = response;
    const parsed = response.ok ? contentOf(spec, response, text) : parse(text);
    if (response.ok && parsed !== undefined) {
      const info: ResponseInfo = {
        status,
        headers,
        requestId: headers.get("x-request-id"),
        etag: headers.get("etag"),
      };
      return { data: parsed as T, response: info };
    }
    const error = response.ok ? null : errorFields(parsed);
    throw errorFor({ status, headers, error, detail: this.#withoutKey(unexpected(response, text)) });
  }

  #url({ path, query }: RequestSpec): string {
    const root = `${this.baseUrl}/v1`;
    const url = new URL(root + path);
    if (!url.href.startsWith(`${root}/`)) {
      throw new FrontdeskError(`the path must begin with "/" and stay below /v1: ${path}`);
    }
    for (const [name, value] of Object.entries((query ?? {}) as Query)) {
      if (value === undefined) continue;
      url.searchParams.set(name, value instanceof Date ? value.toISOString() : String(value));
    }
    return url.href;
  }

  #headers({ method, body, upload, options = {} }: RequestSpec): Headers {
    const headers = new Headers({
      accept: "application/json",
      "user-agent": `frontdesk-typescript/${VERSION}`,
    });
    if (upload) headers.set("content-type", upload.contentType);
    else if (body !== undefined) headers.set("content-type", "application/json");
    if (options.ifMatch != null) headers.set("if-match", options.ifMatch);
    if (method === "POST") headers.set("idempotency-key", options.idempotencyKey ?? crypto.randomUUID());
    for (const [name, value] of Object.entries({ ...this.#options.headers, ...options.headers })) headers.set(name, value);
    headers.set("authorization", `Bearer ${this.#apiKey}`);
    return headers;
  }

  // A proxy that shows what it was sent must not put the key into a log.
  #withoutKey(text: string): string {
    return text.replaceAll(this.#apiKey, "[api key]");
  }
}

/** pathOf puts values into a path, each as one segment of it. */
export function pathOf(strings: TemplateStringsArray, ...values: string[]): string {
  const segments = values.map((value) => {
    // An empty segment or dots would name another resource.
    if (typeof value !== "string" || value === "" || value === "." || value === "..") {
      throw new FrontdeskError(`an id or slug must be a string that is not empty, not ${JSON.stringify(value)}`);
    }
    return encodeURIComponent(value);
  });
  return String.raw({ raw: strings }, ...segments);
}

// Limit ends an attempt when its time is up or when the caller's signal says so,
// and knows afterwards which of them it was.
class Limit {
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #caller: AbortSignal | undefined;
  readonly #timeout: number;
  #timedOut = false;

  constructor(timeout: number, caller: AbortSignal | undefined) {
    this.#timeout = timeout;
    this.#caller = caller;
    if (timeout <= longestTimerMs) {
      this.#timer = setTimeout(() => {
        this.#timedOut = true;
        this.#controller.abort();
      }, timeout);
    }
    caller?.addEventListener("abort", this.#stop);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener("abort", this.#stop);
  }

  /** explain says what a failure of fetch was. */
  explain(error: unknown, { method, path }: RequestSpec): unknown {
    if (this.#caller?.aborted) return this.#caller.reason;
    const what = `${method} ${path}`;
    if (this.#timedOut) return new APITimeoutError(`${what}: no complete answer within ${this.#timeout} ms`, { cause: error });
    return new APIConnectionError(`${what}: ${reasonOf(error)}`, { cause: error });
  }

  readonly #stop = () => this.#controller.abort();
}

// fetch says only "fetch failed"; what happened stands in the cause.
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string; code?: string } };
  const detail = cause?.message || cause?.code;
  return detail ? `${message}: ${detail}` : (message ?? String(error));
}

function jsonBody(body: unknown): RequestBody | undefined {
  if (body === undefined) return undefined;
  return wholeBody(JSON.stringify(body));
}

function contentOf({ method, text: isText }: RequestSpec, { status }: Response, text: string): unknown {
  if (isText) return text;
  return method === "HEAD" || status === 204 ? null : parse(text);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function unexpected({ status, ok, headers }: Response, text: string): string {
  const location = headers.get("location");
  if (location && status >= 300 && status < 400) {
    return `the server redirects to ${location}, which is not followed; set baseUrl to where the API is`;
  }
  const start = text.trim().slice(0, 200);
  const what = ok ? "the answer is not JSON" : "the answer is not an error of the API";
  return start ? `${what}; it begins: ${start}` : `${what}; it is empty`;
}

// A DELETE that is repeated because its answer was lost finds nothing left.
function isGone({ method }: RequestSpec, error: unknown): error is APIError {
  return method === "DELETE" && error instanceof APIError && error.status === 404 && error.code === "not_found";
}

function deletedBefore<T>({ path }: RequestSpec, { status, headers, requestId }: APIError): Answer<T> {
  const id = decodeURIComponent(path.slice(path.lastIndexOf("/") + 1));
  return { data: { deleted: true, id } as T, response: { status, headers, requestId, etag: null } };
}

function apiKeyFrom(key: string | undefined): string {
  if (!key) {
    throw new FrontdeskError("no API key: set FRONTDESK_API_KEY, or give one: new Frontdesk({ apiKey: … })");
  }
  // A header with anything else in it is refused by fetch, in words that hold the key.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new FrontdeskError("the API key holds a space, a line break or another character that no key has");
  }
  return key;
}

function baseUrlFrom(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new FrontdeskError(`baseUrl is not a URL: ${text}`);
  }
  if (!/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new FrontdeskError("baseUrl must be http or https, without user, query or fragment");
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "").replace(/\/v1$/, "");
}
