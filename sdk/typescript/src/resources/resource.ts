import { APIPromise } from "../answer.js";
import { type ListEnvelope, PagePromise } from "../page.js";
import type { RequestOptions, RequestSpec, Transport } from "../transport.js";

/** What all resources are built on: the three shapes of answers. */
export class Resource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** A whole answer. */
  protected whole<T>(spec: RequestSpec): APIPromise<T> {
    return new APIPromise(this.#transport.send<T>(spec));
  }

  /** The one thing in an answer that is an envelope around it. */
  protected one<E, K extends keyof E>(key: K, spec: RequestSpec): APIPromise<E[K]> {
    const sent = this.#transport.send<E>(spec);
    return new APIPromise(sent.then(({ data, response }) => ({ data: data[key], response })));
  }

  /** A list, page by page. */
  protected pages<L extends ListEnvelope<unknown>>(path: string, query: object = {}, options?: RequestOptions): PagePromise<L> {
    const load = (startingAfter?: string) =>
      this.#transport.send<L>({
        method: "GET",
        path,
        query: startingAfter === undefined ? query : { ...query, starting_after: startingAfter },
        options,
      });
    return new PagePromise(load(), load);
  }

  /** A list that the API gives in one piece, under its own name. */
  protected all<T>(key: string, path: string, options?: RequestOptions): PagePromise<ListEnvelope<T>> {
    const load = async () => {
      const { data, response } = await this.#transport.send<{ [key: string]: T[] }>({ method: "GET", path, options });
      return { data: { data: data[key] ?? [], has_more: false, next_starting_after: null }, response };
    };
    return new PagePromise<ListEnvelope<T>>(load(), load);
  }
}
