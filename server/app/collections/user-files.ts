/**
 * What users define by files, with hot reload: collections by JSON Schema files in a folder, fixed answers by a route
 * file.
 */
import { message } from "../../contract/messages/message.ts";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import type { EndpointSpec } from "../../contract/endpoint.ts";
import type { EventBus } from "../../events/event-bus.ts";
import { createRouteTable, type RouteTable } from "../../http/route-table.ts";
import type { Route } from "../../http/route.ts";
import { createTurns, type InTurn } from "../../process/create-turns.ts";
import type { RecordTransfer } from "../../store/records/record-transfer.ts";
import { createCollectionSet } from "./collection-set.ts";
import { createFileReport } from "./file-report.ts";
import { FileProblem } from "./json-source.ts";
import type { Chances } from "./misbehave.ts";
import { covers, readRouteFile, withFreeIds, type FileRoute } from "./route-file.ts";
import { readSettled, refuseUnread } from "./settled-text.ts";
import type { UserCollection, UserDefinition } from "./user-collection.ts";
import { watchPlaces, type WatchedPlaces } from "./watch-places.ts";
import { readBounded, type Bounds } from "../../file-system/bounded-file.ts";
import { isNowhere } from "../../file-system/is-missing.ts";

export interface UserFilesDeps {
  readonly places: WatchedPlaces;
  /** What the files of the folder, and the file, must not leave. */
  readonly bounds?: { readonly folder: Bounds; readonly file: Bounds };
  readonly builtIn: readonly EndpointSpec[];
  readonly routesOf: (definition: UserDefinition) => Route[];
  readonly transfer: RecordTransfer;
  readonly chances: Chances;
  readonly schemaDeadlineMs: number;
  readonly bus: EventBus;
  readonly log: Logger;
}

export interface UserFiles {
  /** Resolves when all files found at the start are in service. */
  readonly opened: Promise<void>;
  /** The current route table; the same object until it changes. */
  readonly specs: () => readonly EndpointSpec[];
  readonly table: () => RouteTable;
  readonly definitions: () => readonly UserDefinition[];
  /** The folder of the schema files. */
  readonly folder: string;
  /** A file of the folder. @throws OutOfBounds; the system's error */
  readonly read: (file: string) => Promise<Buffer>;
  /** The collection that a text would make. @throws FileProblem */
  readonly check: (file: string, text: string) => Promise<UserCollection>;
  /** Why the latest text of a schema file is not in service; undefined when it is. */
  readonly refusalOf: (file: string) => Error | undefined;
  /** Reads the files now. */
  readonly rescan: () => Promise<void>;
  /** For changes of the files, and for what must not meet one. */
  readonly inTurn: InTurn;
  /** Inserts seeds and generated items into empty collections again. */
  readonly refill: () => Promise<void>;
  close(): Promise<void>;
}

/** Writing a file takes several moments, and a checkout writes many files. */
const quietMs = 40;
/** A pause before files are read again that a failure of something else has kept out of service. */
const againAfterMs = 1_000;

export function openUserFiles({ places, bounds, builtIn, log, bus, ...deps }: UserFilesDeps): UserFiles {
  const report = createFileReport(log, bus);
  const collections = createCollectionSet({ ...deps, builtIn, report, onChange: serve });
  const routeFile: { text?: string | undefined; routes: readonly FileRoute[] } = { routes: [] };
  /** The routes of the file that have been told to be hidden. */
  let told = new Set<string>();
  let specs: readonly EndpointSpec[] = [];
  let table = createRouteTable([]);
  let pending: NodeJS.Timeout | undefined;
  let again: NodeJS.Timeout | undefined;
  let looking = Promise.resolve();
  let closed = false;

  /** What serves all paths of a route: collections come first, whichever file was there first. */
  const hiderOf = ({ spec: { path } }: Route, hiders = collections.routes()) =>
    hiders.find(({ spec }) => covers(spec.path, path));
  const shownRoutes = () => routeFile.routes.filter((route) => !hiderOf(route));

  /** Serves what the loaded files define. */
  function serve(): void {
    const served = collections.routes();
    const routes = [...served, ...withFreeIds(shownRoutes(), [...builtIn, ...served.map(({ spec }) => spec)])];
    table = createRouteTable(routes);
    specs = routes.map(({ spec }) => spec);
  }

  async function updateRoutes(): Promise<void> {
    const text = await readSettled(places.file, bounds?.file);
    if (text === routeFile.text) return;
    routeFile.text = text;
    if (text === undefined) {
      routeFile.routes = [];
      serve();
      report.routesRemoved(places.file);
      return;
    }
    try {
      refuseUnread(text);
      routeFile.routes = readRouteFile(text, builtIn);
      told.clear();
      serve();
      report.routesLoaded(places.file, shownRoutes().length);
    } catch (error) {
      report.failed("routes", places.file, error, routeFile.routes.length > 0);
    }
  }

  /** Tells once of each route that a collection hides. */
  function tellHidden(): void {
    const problems = routeFile.routes.flatMap((route) => {
      const by = hiderOf(route)?.spec;
      return by ? [route.problem(`${nameOf(route)} is not served: the collection ${by.tag} serves ${by.path}`)] : [];
    });
    for (const problem of problems.filter(({ message }) => !told.has(message)))
      report.routeHidden(places.file, problem);
    told = new Set(problems.map(({ message }) => message));
  }

  /** @throws FileProblem, also for a collection that would hide a route that is served now */
  async function check(file: string, text: string): Promise<UserCollection> {
    const { collection, routes } = await collections.read(file, text);
    const hidden = shownRoutes().find((route) => hiderOf(route, routes));
    if (!hidden) return collection;
    throw new FileProblem(message("schema.hidesRoute", { route: nameOf(hidden) }), { line: 1, column: 1 });
  }

  async function scan(): Promise<void> {
    if (closed) return;
    const wasThere = watch.follow();
    const texts = await textsIn(places.folder, bounds?.folder);
    const mayRecover = await collections.update(texts);
    clearTimeout(again);
    if (mayRecover && !closed) again = setTimeout(scanNext, againAfterMs);
    await updateRoutes();
    tellHidden();
    if (!wasThere && texts.size > 0) soon();
  }

  function soon(): void {
    if (closed) return;
    clearTimeout(pending);
    pending = setTimeout(scanNext, quietMs);
  }
  function scanNext(): void {
    looking = looking.then(scan).catch((error: unknown) => {
      // Other errors come from the database, which may be closing.
      if (!closed) log.error({ err: error }, `the files in ${places.folder} could not be read`);
    });
  }

  const watch = watchPlaces(places, {
    followsLinks: bounds?.folder === undefined,
    onHint: soon,
    onError: (error) =>
      log.error({ err: error }, `changes in ${places.folder} are no longer noticed: restart Hearth to see them`),
  });

  scanNext();
  const opened = looking;
  if (!existsSync(places.folder))
    log.info({ folder: places.folder }, "no collections folder yet: a schema file in it will be served at once");
  return {
    opened,
    specs: () => specs,
    table: () => table,
    definitions: collections.definitions,
    folder: places.folder,
    read: (file) => readBounded(file, bounds?.folder),
    check,
    refusalOf: collections.refusalOf,
    async rescan() {
      scanNext();
      await looking;
    },
    inTurn: createTurns(),
    refill: collections.refill,
    async close() {
      closed = true;
      clearTimeout(pending);
      clearTimeout(again);
      await watch.close();
      await looking;
    },
  };
}

const nameOf = ({ spec }: Route) => `${spec.method} ${spec.path}`;

async function textsIn(folder: string, bounds: Bounds): Promise<Map<string, string>> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isNowhere(error)) return [];
    throw error;
  });
  const texts = new Map<string, string>();
  for (const name of names.filter((one) => /^[^.].*\.json$/i.test(one)).sort()) {
    const file = join(folder, name);
    const text = await readSettled(file, bounds);
    if (text !== undefined) texts.set(file, text);
  }
  return texts;
}
