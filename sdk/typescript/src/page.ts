import { APIPromise, type Answer } from "./answer.js";

/** The form in which the API sends a list. */
export interface ListEnvelope<T> {
  data: Array<T>;
  has_more: boolean;
  next_starting_after: string | null;
}

type ItemOf<L> = L extends { data: Array<infer T> } ? T : never;

/** Asks for the page after the given id. */
type Load<L extends ListEnvelope<unknown>> = (startingAfter: string) => Promise<Answer<L>>;

/**
 * A page of a list. `data` is what is on it; iterating over it goes on through
 * all the pages that follow.
 */
export class Page<L extends ListEnvelope<unknown>> implements AsyncIterable<ItemOf<L>> {
  /** The items of this page. */
  readonly data: Array<ItemOf<L>>;
  /** Whether there is a page after this one. */
  readonly hasMore: boolean;
  /** The id after which the next page begins; null on the last page. */
  readonly nextStartingAfter: string | null;
  /** The list as it was received, with what some lists have beside their items, such as `limits`. */
  readonly envelope: L;
  readonly #load: Load<L>;

  constructor(envelope: L, load: Load<L>) {
    this.data = envelope.data as Array<ItemOf<L>>;
    this.nextStartingAfter = envelope.has_more ? envelope.next_starting_after : null;
    this.hasMore = this.nextStartingAfter !== null;
    this.envelope = envelope;
    this.#load = load;
  }

  /** nextPage asks for the page after this one; null when this is the last. */
  async nextPage(): Promise<Page<L> | null> {
    if (this.nextStartingAfter === null) return null;
    const { data } = await this.#load(this.nextStartingAfter);
    return new Page(data, this.#load);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ItemOf<L>, void, undefined> {
    for (let page: Page<L> | null = this; page; page = await page.nextPage()) {
      yield* page.data;
    }
  }
}

/**
 * What every list returns: a promise of its first page, that can also be
 * iterated over at once.
 *
 *     for await (const call of frontdesk.calls.list({ outcome: "booking" })) { … }
 */
export class PagePromise<L extends ListEnvelope<unknown>> extends APIPromise<Page<L>> implements AsyncIterable<ItemOf<L>> {
  constructor(first: Promise<Answer<L>>, load: Load<L>) {
    super(first.then(({ data, response }) => ({ data: new Page(data, load), response })));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ItemOf<L>, void, undefined> {
    yield* await this;
  }
}
