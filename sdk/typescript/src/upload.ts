import { FrontdeskError } from "./errors.js";

/**
 * Something that can be opened and read again, so that an upload of it can be
 * tried again. A `Blob`, a `File` and what `fileFromPath` gives are such.
 */
export interface Reopenable {
  stream(): ReadableStream<Uint8Array>;
  /** The file's name. */
  readonly name?: string;
  /** The content type. */
  readonly type?: string;
}

/** What can be uploaded: text, bytes, a file, or a stream of bytes, which is read once. */
export type Uploadable =
  | string
  | Uint8Array
  | ArrayBuffer
  | Reopenable
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

/** What fetch takes as a body, of what is used here. */
export type FetchBody = string | Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array>;

/** The body of a request, made anew for each attempt. */
export interface RequestBody {
  /** next gives the body of the next attempt. */
  next(): FetchBody;
  /** repeatable says whether another attempt can be made. */
  repeatable(): boolean;
  /** failure is what went wrong while the source was read, if anything did. */
  failure(): { error: unknown } | null;
  /** release lets go of what was not read to its end. */
  release(): void;
}

/** wholeBody is a body that is held in memory. */
export function wholeBody(body: FetchBody): RequestBody {
  return { next: () => body, repeatable: () => true, failure: () => null, release: () => undefined };
}

/** bodyOf prepares an upload. */
export function bodyOf(source: Uploadable): RequestBody {
  if (typeof source === "string" || source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    return wholeBody(source as string | ArrayBuffer | Uint8Array);
  }
  // Of a Blob the length is known to fetch, so it goes as it is.
  if (source instanceof Blob) return wholeBody(source);
  if (typeof (source as Reopenable | null)?.stream === "function") {
    return new StreamedBody(() => chunksOf((source as Reopenable).stream()), true);
  }
  if (source instanceof ReadableStream) return onceBody(chunksOf(source));
  if (typeof (source as AsyncIterable<Uint8Array> | null)?.[Symbol.asyncIterator] === "function") {
    return onceBody((source as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]());
  }
  throw new FrontdeskError("upload: give a string, bytes, a Blob or File, what fileFromPath gives, or a stream of bytes");
}

function onceBody(chunks: AsyncIterator<Uint8Array>): RequestBody {
  return new StreamedBody(() => chunks, false);
}

// A source that can be opened again is opened for each attempt. Any other is
// left whole by an attempt that ended before the first read; after that there
// is no second attempt.
class StreamedBody implements RequestBody {
  readonly #open: () => AsyncIterator<Uint8Array>;
  readonly #reopens: boolean;
  #chunks: AsyncIterator<Uint8Array> | undefined;
  #begun = false;
  #failure: { error: unknown } | null = null;

  constructor(open: () => AsyncIterator<Uint8Array>, reopens: boolean) {
    this.#open = open;
    this.#reopens = reopens;
  }

  next(): ReadableStream<Uint8Array> {
    if (this.#reopens) this.release();
    const chunks = (this.#chunks = this.#open());
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => this.#pull(chunks, controller);
    // Nothing is read before it is asked for.
    return new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
  }

  repeatable(): boolean {
    return this.#reopens || !this.#begun;
  }

  failure(): { error: unknown } | null {
    return this.#failure;
  }

  release(): void {
    Promise.resolve(this.#chunks?.return?.()).catch(() => undefined);
  }

  async #pull(chunks: AsyncIterator<Uint8Array>, controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    this.#begun = true;
    try {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }
}

// Not every run time can iterate over a ReadableStream.
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Does nothing to a stream that has ended.
    await reader.cancel().catch(() => undefined);
    reader.releaseLock();
  }
}
