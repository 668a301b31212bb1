import { APIConnectionError, APIError } from "./errors.js";

const firstWaitMs = 500;
const longestWaitMs = 8_000;
const longestRetryAfterSeconds = 60;
const statuses = new Set([408, 429, 500, 502, 503, 504]);

/**
 * waitBefore says how many milliseconds to wait before the next attempt, or
 * null when another attempt would not help. retry is 0 before the first
 * repetition; random is from 0 to 1.
 */
export function waitBefore(error: unknown, retry: number, random: number): number | null {
  if (error instanceof APIConnectionError) return backoff(retry, random);
  if (!(error instanceof APIError) || !repeatable(error)) return null;
  if (error.retryAfter === null) return backoff(retry, random);
  return error.retryAfter <= longestRetryAfterSeconds ? error.retryAfter * 1000 : null;
}

function repeatable({ status, code }: APIError): boolean {
  return statuses.has(status) || (status === 409 && code === "idempotency_key_in_use");
}

function backoff(retry: number, random: number): number {
  const wait = firstWaitMs * 2 ** retry * (0.75 + random / 2);
  return Math.min(wait, longestWaitMs);
}

/** answerLost says whether the request may have been carried out although no answer of the API came. */
export function answerLost(error: unknown): boolean {
  return error instanceof APIConnectionError || (error instanceof APIError && (error.status === 502 || error.status === 504));
}

/** pause waits; a signal ends it, with the signal's reason. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    function stop() {
      clearTimeout(timer);
      reject(signal?.reason);
    }
    signal?.addEventListener("abort", stop, { once: true });
  });
}
