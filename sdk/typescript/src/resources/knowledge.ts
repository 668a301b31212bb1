import type { APIPromise } from "../answer.js";
import { FrontdeskError } from "../errors.js";
import type { PagePromise } from "../page.js";
import { type RequestOptions, type Transport, pathOf } from "../transport.js";
import type {
  DeletedDocument,
  Document,
  DocumentEnvelope,
  DocumentList,
  DocumentListParams,
  DocumentUploadParams,
  Knowledge,
  KnowledgeAnswer,
  KnowledgeQuestion,
  UploadResult,
} from "../types.js";
import { type Reopenable, type Uploadable, bodyOf } from "../upload.js";
import { Resource } from "./resource.js";

/** What is said about a file that is uploaded. */
export interface UploadParams extends DocumentUploadParams {
  /** By default the file's own, else by the extension of the name. */
  contentType?: string | undefined;
}

const contentTypes: { [extension: string]: string } = {
  pdf: "application/pdf",
  md: "text/markdown",
  csv: "text/csv",
  txt: "text/plain",
};

/** What agents answer questions from. */
export class KnowledgeResource extends Resource {
  readonly documents: Documents;

  constructor(transport: Transport) {
    super(transport);
    this.documents = new Documents(transport);
  }

  /** What there is, what the plan allows, and what callers asked in vain. */
  get(options?: RequestOptions): APIPromise<Knowledge> {
    return this.whole({ method: "GET", path: "/knowledge", options });
  }

  /** Asks a question the way a caller would. */
  ask(question: KnowledgeQuestion, options?: RequestOptions): APIPromise<KnowledgeAnswer> {
    return this.whole({ method: "POST", path: "/knowledge/test", body: question, options });
  }
}

/** The documents. */
export class Documents extends Resource {
  list(params?: DocumentListParams, options?: RequestOptions): PagePromise<DocumentList> {
    return this.pages("/knowledge/documents", params, options);
  }

  get(id: string, options?: RequestOptions): APIPromise<Document> {
    const path = pathOf`/knowledge/documents/${id}`;
    return this.one<DocumentEnvelope, "document">("document", { method: "GET", path, options });
  }

  /**
   * Uploads a document: PDF, Markdown, CSV or plain text. `filename` may be left
   * out where the file has a name. The answer comes before the document has been
   * read: ask for it until its status is `ready`, or `error`.
   */
  upload(file: Uploadable, params: UploadParams = {}, options?: RequestOptions): APIPromise<UploadResult> {
    const { contentType, ...query } = params;
    const { name, type } = typeof file === "object" && file !== null ? (file as Partial<Reopenable>) : {};
    query.filename ??= name;
    if (!query.filename) throw new FrontdeskError('upload: name the file, for example { filename: "faq.md" }');
    const upload = { body: bodyOf(file), contentType: contentType || type || contentTypeOf(query.filename) };
    return this.whole({ method: "POST", path: "/knowledge/documents", query, upload, options });
  }

  delete(id: string, options?: RequestOptions): APIPromise<DeletedDocument> {
    return this.whole({ method: "DELETE", path: pathOf`/knowledge/documents/${id}`, options });
  }
}

function contentTypeOf(filename: string): string {
  const extension = filename.slice(filename.lastIndexOf(".") + 1).toLowerCase();
  return contentTypes[extension] ?? "application/octet-stream";
}
