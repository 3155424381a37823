/** The collections in service that users define, each by its file. */
import { atPlace } from "./problem-reporter.ts";
import { message } from "../../contract/messages/message.ts";
import { basename } from "node:path";
import type { EndpointSpec } from "../../contract/endpoint.ts";
import type { Route } from "../../http/route.ts";
import type { RecordTransfer } from "../../store/records/record-transfer.ts";
import type { FileReport } from "./file-report.ts";
import { SchemaError } from "./schema/schema-error.ts";
import { FileProblem, readJsonSource } from "./json-source.ts";
import { misbehaving, type Chances } from "./misbehave.ts";
import { refuseUnread } from "./settled-text.ts";
import type { UserCollection, UserDefinition } from "./user-collection.ts";

interface Deps {
  /** The built-in endpoints. No collection may use their paths or names. */
  readonly builtIn: readonly EndpointSpec[];
  /** The collection engine. */
  readonly routesOf: (definition: UserDefinition) => Route[];
  readonly transfer: RecordTransfer;
  readonly chances: Chances;
  /** Time limit for a schema on one item; see the setting foreign_deadline_ms. */
  readonly schemaDeadlineMs: number;
  readonly report: FileReport;
  /** Called when the served routes have changed, before the change is reported. */
  readonly onChange: () => void;
}

interface Entry {
  /** The file's latest text, valid or not. */
  text: string;
  collection?: UserCollection;
  routes: readonly Route[];
  /** Why the latest text is not in service. */
  refusal?: Refusal;
}

/** A file may be refused for what another one says, and is tried again when that changes. */
interface Refusal {
  readonly error: Error;
  /** That of the served files at the time; undefined where no file is to blame, but perhaps a database that is away. */
  readonly revision: number | undefined;
}

const isSameProblem = (one: Error, other: Error) => one.message === other.message;

/** Loaded only when there is a schema, because the compiler takes time and memory. */
async function loadTools(schemaDeadlineMs: number) {
  const [{ readCollection }, { createSchemaCompiler }] = await Promise.all([
    import("./read-collection.ts"),
    import("./schema/compile-schema.ts"),
  ]);
  return { readCollection, compile: createSchemaCompiler(schemaDeadlineMs) };
}

export function createCollectionSet(deps: Deps) {
  const { builtIn, routesOf, transfer, chances, report, onChange } = deps;
  const entries = new Map<string, Entry>();
  let tools: ReturnType<typeof loadTools> | undefined;
  /** Counts the changes of what is served. */
  let revision = 0;

  /** @throws FileProblem when the name is taken */
  function refuseTaken(file: string, { definition: { name } }: UserCollection, routes: readonly Route[]): void {
    const at = { line: 1, column: 1 };
    const path = `/api/${name}`;
    if (builtIn.some((spec) => spec.path === path || spec.path.startsWith(`${path}/`)))
      throw new FileProblem(message("schema.path", { path }), at);
    const own = routes.find(({ spec }) => builtIn.some((one) => one.path === spec.path && one.method === spec.method));
    if (own) throw new FileProblem(message("schema.child", { path: own.spec.path }), at);
    const others = [...entries].flatMap(([other, entry]) => (other === file ? [] : entry.routes));
    const taken = new Set([...builtIn, ...others.map(({ spec }) => spec)].map(({ id }) => id));
    const double = routes.find(({ spec }) => taken.has(spec.id));
    if (double) throw new FileProblem(message("schema.operation", { id: double.spec.id }), at);
  }

  /** Seeds and generated items, inserted into an empty collection. @throws FileProblem */
  async function fill(text: string, { definition, options, schema, check }: UserCollection): Promise<number> {
    const { seed, generate, unique } = options;
    if ((seed.length === 0 && !generate) || !(await transfer.isEmpty(definition.name))) return 0;
    if (!generate) return transfer.fill(definition.name, seed);
    const { generateRows } = await import("./rows/generate-rows.ts");
    try {
      const made = await generateRows(schema, check, {
        ...generate,
        unique,
        beside: seed,
        privateField: options.private,
      });
      return await transfer.fill(definition.name, [...seed, ...made]);
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
      throw new FileProblem(atPlace(error.path, error.text), readJsonSource(text).placeOf(error.path));
    }
  }

  /** What would be served of a file. @throws FileProblem */
  async function read(file: string, text: string): Promise<Required<Pick<Entry, "collection" | "routes">>> {
    refuseUnread(text);
    const { readCollection, compile } = await (tools ??= loadTools(deps.schemaDeadlineMs));
    const collection = await readCollection(basename(file, ".json"), text, compile);
    const { definition, options } = collection;
    const routes = routesOf(definition)
      .filter(({ spec }) => !options.disabled.includes(spec.method))
      .map((route) => misbehaving(route, definition.name, options, chances));
    refuseTaken(file, collection, routes);
    return { collection, routes };
  }

  async function load(file: string, text: string): Promise<void> {
    const { collection, routes } = await read(file, text);
    const added = await fill(text, collection);
    entries.set(file, { text, collection, routes });
    changed();
    report.loaded(file, collection.definition.name, added);
  }

  function changed(): void {
    revision++;
    onChange();
  }

  /** Loads what is new, and what may no longer be refused. */
  async function loadAll(texts: ReadonlyMap<string, string>): Promise<void> {
    for (const [file, text] of texts) {
      const known = entries.get(file);
      if (known?.text === text && (known.refusal === undefined || known.refusal.revision === revision)) continue;
      try {
        await load(file, text);
      } catch (error) {
        entries.set(file, {
          ...known,
          text,
          routes: known?.routes ?? [],
          refusal: { error: error as Error, revision: error instanceof FileProblem ? revision : undefined },
        });
      }
    }
  }

  return {
    /** Updates the set to the current files. @returns whether the same ones may be served a while later */
    async update(texts: ReadonlyMap<string, string>): Promise<boolean> {
      const before = new Map(entries);
      for (const [file, { collection }] of before) {
        if (texts.has(file)) continue;
        entries.delete(file);
        if (!collection) continue;
        changed();
        report.removed(file, collection.definition.name);
      }
      let last: number;
      do {
        last = revision;
        await loadAll(texts);
      } while (revision !== last);
      for (const [file, { text, collection, refusal }] of entries) {
        const known = before.get(file);
        if (!refusal) continue;
        if (known?.text === text && known.refusal && isSameProblem(known.refusal.error, refusal.error)) continue;
        report.failed("collection", file, refusal.error, collection !== undefined);
      }
      return [...entries.values()].some(({ refusal }) => refusal && refusal.revision === undefined);
    },
    /** What a text that is not in service would make. @throws FileProblem */
    read,
    refusalOf: (file: string): Error | undefined => entries.get(file)?.refusal?.error,
    routes: (): readonly Route[] => [...entries.values()].flatMap(({ routes }) => routes),
    definitions: (): readonly UserDefinition[] =>
      [...entries.values()].flatMap(({ collection }) => (collection ? [collection.definition] : [])),
    /**
     * Inserts seeds and generated items into empty collections again. One that cannot be filled keeps no other one empty.
     * @throws the first error that is not of a file, as of a database that is away
     */
    refill: async (): Promise<void> => {
      const failures: unknown[] = [];
      for (const [file, { text, collection }] of entries) {
        if (!collection) continue;
        await fill(text, collection).catch((error: unknown) => {
          if (error instanceof FileProblem) report.unfilled(file, error);
          else failures.push(error);
        });
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
