import { SignatureError } from "./errors.js";
import type { Event } from "./types.js";

/** Headers as any framework has them. */
export type WebhookHeaders = Headers | { readonly [name: string]: string | readonly string[] | undefined };

/** What can be said about a verification. */
export interface VerifyOptions {
  /** How many seconds the delivery's timestamp may be from now; by default 300. */
  toleranceSeconds?: number | undefined;
  /** The time to compare with, for tests; by default now. */
  now?: Date | undefined;
}

const defaultToleranceSeconds = 300;

/**
 * verify says whether a delivery was signed with the secret (one of the secrets,
 * while a rotation lasts) and returns its event; otherwise it raises a
 * SignatureError that says which check failed.
 *
 * The body must be what was received, byte for byte: not JSON that was parsed
 * and written again. An event of a type that these types do not know is returned
 * as well, so keep a default branch.
 */
export async function verify(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<Event> {
  const payload = bytesOf(body);
  const keys = keysOf(secret);
  const id = header(headers, "webhook-id");
  const timestamp = header(headers, "webhook-timestamp");
  const signatures = header(headers, "webhook-signature");
  checkTimestamp(timestamp, options);
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), payload);
  if (!(await anyFits(keys, signatures, signed))) {
    throw new SignatureError("signature", "no signature in webhook-signature fits: is the secret this connection's, and the body as it was received?");
  }
  return eventOf(payload);
}

async function anyFits(keys: Uint8Array<ArrayBuffer>[], signatures: string, signed: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const given = signatures.split(" ").flatMap((part) => {
    const [version, text = ""] = part.split(",", 2);
    const signature = version === "v1" ? fromBase64(text) : null;
    return signature ? [signature] : [];
  });
  for (const key of keys) {
    const imported = await crypto.subtle.importKey("raw", key, hmac, false, ["verify"]);
    for (const signature of given) {
      // Web Crypto compares in constant time.
      if (await crypto.subtle.verify("HMAC", imported, signature, signed)) return true;
    }
  }
  return false;
}

function checkTimestamp(timestamp: string, { toleranceSeconds = defaultToleranceSeconds, now = new Date() }: VerifyOptions): void {
  if (!/^\d{1,15}$/.test(timestamp)) {
    throw new SignatureError("headers", "webhook-timestamp is not a number of seconds");
  }
  const seconds = Math.floor(now.getTime() / 1000) - Number(timestamp);
  if (Math.abs(seconds) > toleranceSeconds) {
    const where = seconds > 0 ? `${seconds} s in the past` : `${-seconds} s in the future`;
    throw new SignatureError("timestamp", `webhook-timestamp is ${where}, ${toleranceSeconds} s are allowed: is this machine's clock right?`);
  }
}

function keysOf(secret: string | readonly string[]): Uint8Array<ArrayBuffer>[] {
  const secrets = typeof secret === "string" ? [secret] : (secret ?? []);
  if (secrets.length === 0) throw new SignatureError("secret", "no secret was given");
  return secrets.map((text) => {
    const key = text?.startsWith("whsec_") ? fromBase64(text.slice("whsec_".length)) : null;
    if (!key?.length) throw new SignatureError("secret", "a secret must be whsec_ and base64, as it was shown when the connection was made");
    return key;
  });
}

function header(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : anyCase(headers, name);
  if (!value) throw new SignatureError("headers", `the header ${name} is missing`);
  return value;
}

function anyCase(headers: { readonly [name: string]: string | readonly string[] | undefined }, name: string): string | undefined {
  const key = Object.keys(headers ?? {}).find((k) => k.toLowerCase() === name);
  const value = key === undefined ? undefined : headers[key];
  return typeof value === "string" ? value : value?.length === 1 ? value[0] : undefined;
}

function bytesOf(body: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof body === "string") return new TextEncoder().encode(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  throw new SignatureError("body", "the body must be the bytes or the text as received, not parsed JSON");
}

function eventOf(payload: Uint8Array): Event {
  try {
    return JSON.parse(new TextDecoder().decode(payload)) as Event;
  } catch {
    throw new SignatureError("body", "the signature fits, but the body is not JSON");
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  } catch {
    return null;
  }
}
