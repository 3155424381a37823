/** Serves the operations of the OpenAPI documents in a folder. Documents are read again when they change. */
import { readdirSync, statSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import type { Logger } from "pino";
import type { EndpointSpec } from "../../contract/endpoint.ts";
import { checkFile, readBounded, type Bounds } from "../../file-system/bounded-file.ts";
import { signatureOf } from "../../file-system/file-signature.ts";
import { refuse } from "../../http/http-error.ts";
import { pathOf, type Middleware } from "../../http/middleware.ts";
import { hiddenBy } from "../../http/user-routes/user-paths.ts";
import type { GenerateExample, MadeAnswer } from "./make-answer.ts";
import { DocumentProblem, mostDocumentBytes } from "./read-document.ts";
import type { openDocument, ServedOperation, tableOf } from "./served-document.ts";

interface Deps {
  readonly folder: string;
  readonly bounds: Bounds;
  readonly builtIn: readonly EndpointSpec[];
  /** Loads the generator of values, whose data is large. */
  readonly loadGenerator: () => Promise<GenerateExample>;
  readonly log: Logger;
}

const lookEveryMs = 500;

export class ImportedApis {
  /** Resolves when the documents found at the start are in service, or refused. */
  readonly opened: Promise<void>;
  readonly #deps: Deps;
  readonly #timer: NodeJS.Timeout;
  #signature = "";
  /** The operations in service, by file. */
  #served = new Map<string, ServedOperation[]>();
  #find: ReturnType<typeof tableOf> = () => [];
  #loading: Promise<void> = Promise.resolve();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#look();
    this.opened = this.#loading;
    this.#timer = setInterval(() => this.#look(), lookEveryMs).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#loading;
  }

  /** Answers requests of imported operations, and passes on all others. */
  readonly serve: Middleware = async (req, res, next) => {
    await this.opened;
    const found = this.#find(pathOf(req));
    const method = req.method === "HEAD" && !found.some(({ methods }) => methods.has("HEAD")) ? "GET" : req.method;
    const match = found.find(({ methods }) => methods.has(method ?? ""));
    const served = match?.methods.get(method ?? "");
    if (match && served) return sendAnswer(res, await served.answer(req, match.params));
    if (found.length === 0) return next();
    const allowed = [...new Set(found.flatMap(({ methods }) => [...methods.keys()]))].join(", ");
    throw refuse("method.allowed", { method: String(req.method), allowed }, { headers: { Allow: allowed } });
  };

  #look(): void {
    const names = namesIn(this.#deps.folder);
    const signature = names.map((name) => `${name}:${signatureOf(join(this.#deps.folder, name))}`).join("\n");
    if (signature === this.#signature) return;
    this.#signature = signature;
    this.#loading = this.#loading
      .then(() => this.#load(names))
      .catch((error: unknown) =>
        this.#deps.log.error({ err: error }, `the files in ${this.#deps.folder} could not be read`),
      );
  }

  async #load(names: readonly string[]): Promise<void> {
    const parts = await import("./served-document.ts");
    const next = new Map<string, ServedOperation[]>();
    for (const name of names) {
      const file = join(this.#deps.folder, name);
      try {
        next.set(name, await this.#read(file, parts.openDocument));
      } catch (error) {
        const before = this.#served.get(name);
        if (before) next.set(name, before);
        const kept = before ? "its previous version stays in use" : "none of its operations are served";
        this.#deps.log.error({ file }, `${file}: ${(error as Error).message} (${kept})`);
      }
    }
    this.#served = next;
    this.#find = parts.tableOf([...next.values()].flat());
  }

  /** @throws DocumentProblem, OutOfBounds */
  async #read(file: string, open: typeof openDocument): Promise<ServedOperation[]> {
    const { bounds, builtIn, log, loadGenerator } = this.#deps;
    await checkFile(file, bounds);
    if (statSync(file).size > mostDocumentBytes) throw new DocumentProblem("it is too long");
    const operations = await open((await readBounded(file, bounds)).toString("utf8"), loadGenerator);
    for (const { method, path } of operations) {
      const hidden = hiddenBy({ method: method as EndpointSpec["method"], path }, builtIn);
      if (hidden !== undefined) log.warn({ file }, hidden);
    }
    log.info({ file }, `${String(operations.length)} operations of ${file} are served`);
    return operations;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^[^.].*\.json$/i.test(name))
      .sort();
  } catch {
    return [];
  }
}

function sendAnswer(res: ServerResponse, { status, headers, body }: MadeAnswer): void {
  res.statusCode = status;
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  if (body) {
    res.setHeader("Content-Type", body.type);
    res.setHeader("Content-Length", Buffer.byteLength(body.content));
  } else if (status !== 204 && status !== 304) res.setHeader("Content-Length", 0);
  res.end(body?.content);
}
