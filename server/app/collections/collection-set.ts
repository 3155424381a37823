/** The collections in service that users define, each by its file. */
import { atPlace } from "./problem-reporter.ts";
import { message } from "../../contract/messages/message.ts";
import { basename } from "node:path";
import type { EndpointSpec } from "../../contract/endpoint.ts";
import type { Route } from "../../http/route.ts";
import type { RecordTransfer } from "../../store/records/record-transfer.ts";
import type { FileReport } from "./file-report.ts";
import { SchemaError } from "./schema/schema-error.ts";
import { FileProblem } from "./json-source.ts";
import { misbehaving, type Chances } from "./misbehave.ts";
import { isSameText, type SettledText } from "./settled-text.ts";
import type { UserCollection, UserDefinition } from "./user-collection.ts";

interface Deps {
  /** The built-in endpoints. No collection may use their paths or names. */
  readonly builtIn: readonly EndpointSpec[];
  /** The collection engine. */
  readonly routesOf: (definition: UserDefinition) => Route[];
  readonly transfer: RecordTransfer;
  readonly chances: Chances;
  /** Time limit for a schema on one item. */
  readonly schemaDeadlineMs: number;
  readonly report: FileReport;
  /** Called when the served routes have changed, before the change is reported. */
  readonly onChange: () => void;
}

interface Entry {
  /** The file's latest text, valid or not. */
  text: SettledText;
  collection?: UserCollection;
  routes: readonly Route[];
  /** Why the latest text is not in service. */
  refusal?: Refusal;
}

/** A file may be refused for what another one says, and is tried again when that changes. */
interface Refusal {
  readonly error: Error;
  /** The revision of the served files at the time; undefined where no file is to blame, but perhaps a database that is away. */
  readonly revision: number | undefined;
}

/** Loaded only when there is a schema, because the compiler takes time and memory. */
async function loadTools(schemaDeadlineMs: number) {
  const [{ readCollection }, { createSchemaCompiler }] = await Promise.all([
    import("./read-collection.ts"),
    import("./schema/compile-schema.ts"),
  ]);
  return { readCollection, compile: createSchemaCompiler(schemaDeadlineMs) };
}

export class CollectionSet {
  readonly #deps: Deps;
  readonly #entries = new Map<string, Entry>();
  #tools: ReturnType<typeof loadTools> | undefined;
  /** Counts the changes of what is served. */
  #revision = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Updates the set to the current files. @returns whether the same ones may be served a while later */
  async update(texts: ReadonlyMap<string, SettledText>): Promise<boolean> {
    const before = new Map(this.#entries);
    for (const [file, { collection }] of before) {
      if (texts.has(file)) continue;
      this.#entries.delete(file);
      if (!collection) continue;
      this.#changed();
      this.#deps.report.removed(file, collection.definition.name);
    }
    let last: number;
    do {
      last = this.#revision;
      await this.#loadAll(texts);
    } while (this.#revision !== last);
    this.#reportRefusals(before);
    return [...this.#entries.values()].some(({ refusal }) => refusal && refusal.revision === undefined);
  }

  /** Reads the collection and the routes of a text that is not in service. @throws FileProblem */
  async read(file: string, text: string): Promise<Required<Pick<Entry, "collection" | "routes">>> {
    const { routesOf, chances, schemaDeadlineMs } = this.#deps;
    const { readCollection, compile } = await (this.#tools ??= loadTools(schemaDeadlineMs));
    const collection = await readCollection(basename(file, ".json"), text, compile);
    const { definition, options } = collection;
    const routes = routesOf(definition)
      .filter(({ spec }) => !options.disabled.includes(spec.method))
      .map((route) => misbehaving(route, definition.name, options, chances));
    this.#refuseTaken(file, collection, routes);
    this.#refuseOtherIds(collection);
    return { collection, routes };
  }

  refusalOf(file: string): Error | undefined {
    return this.#entries.get(file)?.refusal?.error;
  }

  routes(): readonly Route[] {
    return [...this.#entries.values()].flatMap(({ routes }) => routes);
  }

  definitions(): readonly UserDefinition[] {
    return [...this.#entries.values()].flatMap(({ collection }) => (collection ? [collection.definition] : []));
  }

  /**
   * Inserts seeds and generated items into empty collections again. One that cannot be filled keeps no other one empty.
   * @throws the first error that is not of a file, as of a database that is away
   */
  async refill(): Promise<void> {
    const failures: unknown[] = [];
    for (const [file, { collection }] of this.#entries) {
      if (!collection) continue;
      await this.#fill(collection).catch((error: unknown) => {
        if (error instanceof FileProblem) this.#deps.report.unfilled(file, error);
        else failures.push(error);
      });
    }
    if (failures.length > 0) throw failures[0];
  }

  /** @throws FileProblem when the name is taken */
  #refuseTaken(file: string, { definition: { name } }: UserCollection, routes: readonly Route[]): void {
    const { builtIn } = this.#deps;
    const at = { line: 1, column: 1 };
    const path = `/api/${name}`;
    if (builtIn.some((spec) => spec.path === path || spec.path.startsWith(`${path}/`)))
      throw new FileProblem(message("schema.path", { path }), at);
    const own = routes.find(({ spec }) => builtIn.some((one) => one.path === spec.path && one.method === spec.method));
    if (own) throw new FileProblem(message("schema.child", { path: own.spec.path }), at);
    const others = [...this.#entries].flatMap(([other, entry]) => (other === file ? [] : entry.routes));
    const taken = new Set([...builtIn, ...others.map(({ spec }) => spec)].map(({ id }) => id));
    const double = routes.find(({ spec }) => taken.has(spec.id));
    if (double) throw new FileProblem(message("schema.operation", { id: double.spec.id }), at);
  }

  /** @throws FileProblem for a field that refers to ids of another type */
  #refuseOtherIds({ definition, placeOf }: UserCollection): void {
    const { builtIn } = this.#deps;
    const known = new Map([...this.definitions(), definition].map(({ name, idKind }) => [name, idKind !== undefined]));
    for (const { field, to, isText } of definition.relations) {
      const hasTexts = known.get(to) ?? (builtIn.some(({ path }) => path === `/api/${to}/{id}`) ? false : isText);
      const path = ["properties", field, "x-hearth", "ref"];
      const type = hasTexts ? "string" : "integer";
      if (isText !== hasTexts)
        throw new FileProblem(atPlace(path, message("schema.fieldType", { field, type })), placeOf(path));
    }
  }

  /** Inserts seeds and generated items into an empty collection, and returns their number. @throws FileProblem */
  async #fill({ definition, options, schema, check, placeOf }: UserCollection): Promise<number> {
    const { transfer } = this.#deps;
    const { seed, generate, unique } = options;
    if ((seed.length === 0 && !generate) || !(await transfer.isEmpty(definition.name))) return 0;
    if (!generate) return transfer.fill(definition.name, seed);
    const { generateRows } = await import("./rows/generate-rows.ts");
    try {
      const made = await generateRows(schema, check, {
        ...generate,
        unique,
        existing: seed,
        privateField: options.private,
      });
      return await transfer.fill(definition.name, [...seed, ...made]);
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
      throw new FileProblem(atPlace(error.path, error.text), placeOf(error.path));
    }
  }

  /** @throws FileProblem, or the error of another cause */
  async #load(file: string, text: SettledText): Promise<void> {
    if (text instanceof FileProblem) throw text;
    const { collection, routes } = await this.read(file, text);
    const added = await this.#fill(collection);
    this.#entries.set(file, { text, collection, routes });
    this.#changed();
    this.#deps.report.loaded(file, collection.definition.name, added);
  }

  #changed(): void {
    this.#revision++;
    this.#deps.onChange();
  }

  /** Loads what is new, and what may no longer be refused. */
  async #loadAll(texts: ReadonlyMap<string, SettledText>): Promise<void> {
    for (const [file, text] of texts) {
      const known = this.#entries.get(file);
      const isTried = known?.refusal === undefined || known.refusal.revision === this.#revision;
      if (known && isSameText(known.text, text) && isTried) continue;
      try {
        await this.#load(file, text);
      } catch (error) {
        this.#entries.set(file, {
          ...known,
          text,
          routes: known?.routes ?? [],
          refusal: { error: error as Error, revision: error instanceof FileProblem ? this.#revision : undefined },
        });
      }
    }
  }

  /** Reports the refusals that were not there before. */
  #reportRefusals(before: ReadonlyMap<string, Entry>): void {
    for (const [file, { text, collection, refusal }] of this.#entries) {
      const known = before.get(file);
      if (!refusal) continue;
      if (known?.refusal?.error.message === refusal.error.message && isSameText(known.text, text)) continue;
      this.#deps.report.failed("collection", file, refusal.error, collection !== undefined);
    }
  }
}
