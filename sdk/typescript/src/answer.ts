/** What is known of an answer beside its body. */
export interface ResponseInfo {
  status: number;
  headers: Headers;
  /** The id of the request, for the server's log and for support. */
  requestId: string | null;
  /** The version of an agent, a calendar or a capture: hand it back as `ifMatch`. */
  etag: string | null;
}

/** An answer: what the method is for, and the response around it. */
export interface Answer<T> {
  data: T;
  response: ResponseInfo;
}

/**
 * What every method returns: a promise of the thing itself, with the response
 * around it in reach.
 *
 *     const call = await frontdesk.calls.get(id);
 *     const { data, response } = await frontdesk.calls.get(id).withResponse();
 */
export class APIPromise<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = "APIPromise";
  readonly #answer: Promise<Answer<T>>;

  constructor(answer: Promise<Answer<T>>) {
    this.#answer = answer;
  }

  /** withResponse gives the status, headers and request id beside the thing itself. */
  withResponse(): Promise<Answer<T>> {
    return this.#answer;
  }

  then<A = T, B = never>(
    onDone?: ((value: T) => A | PromiseLike<A>) | null,
    onFailed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#answer.then(({ data }) => data).then(onDone, onFailed);
  }

  catch<B = never>(onFailed?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, onFailed);
  }

  finally(onEnd?: (() => void) | null): Promise<T> {
    return this.then().finally(onEnd);
  }
}
