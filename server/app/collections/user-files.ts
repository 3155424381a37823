import { message } from "../../contract/messages/message.ts";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import type { EndpointSpec } from "../../contract/endpoint.ts";
import type { EventBus } from "../../events/event-bus.ts";
import { createRouteTable, type RouteTable } from "../../http/route-table.ts";
import type { Route } from "../../http/route.ts";
import { covers, withFreeIds } from "../../http/user-routes/user-paths.ts";
import { createTurns, type InTurn } from "../../process/create-turns.ts";
import type { RecordTransfer } from "../../store/records/record-transfer.ts";
import { CollectionSet } from "./collection-set.ts";
import { createFileReport, type FileReport } from "./file-report.ts";
import { FileProblem } from "./json-source.ts";
import type { Chances } from "./misbehave.ts";
import { readRouteFile, type FileRoute } from "./route-file.ts";
import { isSameText, readSettled, type SettledText } from "./settled-text.ts";
import type { UserCollection, UserDefinition } from "./user-collection.ts";
import { watchPlaces, type PlacesWatch, type WatchedPlaces } from "./watch-places.ts";
import { readBounded, type Bounds } from "../../file-system/bounded-file.ts";
import { isNowhere } from "../../file-system/is-missing.ts";

export interface UserFilesDeps {
  readonly places: WatchedPlaces;
  /** Bounds within which the files of the folder, and the route file, must stay. */
  readonly bounds?: { readonly folder: Bounds; readonly file: Bounds };
  readonly builtIn: readonly EndpointSpec[];
  readonly routesOf: (definition: UserDefinition) => Route[];
  readonly transfer: RecordTransfer;
  readonly chances: Chances;
  readonly schemaDeadlineMs: number;
  readonly bus: EventBus;
  readonly log: Logger;
}

/** Writing a file takes several moments, and a checkout writes many files. */
const quietMs = 40;
/** A pause before files are read again that a failure of something else has kept out of service. */
const againAfterMs = 1_000;

/**
 * Serves what users define by files, with hot reload: collections by JSON Schema files in a folder, fixed answers by a
 * route file. A hint of a change leads to a scan soon after; scans run one after the other until `close`.
 */
export class UserFiles {
  /** Resolves when all files found at the start are in service. */
  readonly opened: Promise<void>;
  /** The folder of the schema files. */
  readonly folder: string;
  /** Runs changes of the files, and work that must not meet one, one after the other. */
  readonly inTurn: InTurn = createTurns();
  readonly #deps: UserFilesDeps;
  readonly #report: FileReport;
  readonly #collections: CollectionSet;
  readonly #watch: PlacesWatch;
  readonly #routeFile: { text?: SettledText | undefined; routes: readonly FileRoute[] } = { routes: [] };
  /** The problems of hidden routes that have been reported. */
  #reportedHidden = new Set<string>();
  #specs: readonly EndpointSpec[] = [];
  #table = createRouteTable([]);
  #pending: NodeJS.Timeout | undefined;
  #again: NodeJS.Timeout | undefined;
  #scanning = Promise.resolve();
  #closed = false;

  constructor(deps: UserFilesDeps) {
    this.#deps = deps;
    const { log, bus, places, bounds } = deps;
    this.folder = places.folder;
    this.#report = createFileReport(log, bus);
    this.#collections = new CollectionSet({ ...deps, report: this.#report, onChange: () => this.#serve() });
    this.#watch = watchPlaces(places, {
      followsLinks: bounds?.folder === undefined,
      onHint: () => this.#scanSoon(),
      onError: (error) =>
        log.error({ err: error }, `changes in ${places.folder} are no longer noticed: restart Hearth to see them`),
    });
    this.#scanNext();
    this.opened = this.#scanning;
    if (!existsSync(places.folder))
      log.info({ folder: places.folder }, "no collections folder yet: a schema file in it will be served at once");
  }

  specs(): readonly EndpointSpec[] {
    return this.#specs;
  }

  /** The current route table; the same object until it changes. */
  table(): RouteTable {
    return this.#table;
  }

  definitions(): readonly UserDefinition[] {
    return this.#collections.definitions();
  }

  /** Reads a file of the folder. @throws OutOfBounds; the system's error */
  read(file: string): Promise<Buffer> {
    return readBounded(file, this.#deps.bounds?.folder);
  }

  /** Reads the collection that a text would make. @throws FileProblem, also where it would hide a route that is served */
  async check(file: string, text: string): Promise<UserCollection> {
    const { collection, routes } = await this.#collections.read(file, text);
    const hidden = this.#visibleRoutes().find((route) => this.#hiderOf(route, routes));
    if (!hidden) return collection;
    throw new FileProblem(message("schema.hidesRoute", { route: nameOf(hidden) }), { line: 1, column: 1 });
  }

  /** Returns why the latest text of a schema file is not in service; undefined when it is. */
  refusalOf(file: string): Error | undefined {
    return this.#collections.refusalOf(file);
  }

  /** Inserts seeds and generated items into empty collections again. */
  refill(): Promise<void> {
    return this.#collections.refill();
  }

  /** Reads the files now. */
  async rescan(): Promise<void> {
    this.#scanNext();
    await this.#scanning;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#pending);
    clearTimeout(this.#again);
    await this.#watch.close();
    await this.#scanning;
  }

  /** Finds the route that serves all paths of another one: collections come first, whichever file was there first. */
  #hiderOf({ spec: { path } }: Route, hiders = this.#collections.routes()) {
    return hiders.find(({ spec }) => covers(spec.path, path));
  }

  #visibleRoutes() {
    return this.#routeFile.routes.filter((route) => !this.#hiderOf(route));
  }

  /** Serves what the loaded files define. */
  #serve(): void {
    const served = this.#collections.routes();
    const routes = [
      ...served,
      ...withFreeIds(this.#visibleRoutes(), [...this.#deps.builtIn, ...served.map(({ spec }) => spec)]),
    ];
    this.#table = createRouteTable(routes);
    this.#specs = routes.map(({ spec }) => spec);
  }

  async #updateRoutes(): Promise<void> {
    const { places, bounds, builtIn } = this.#deps;
    const text = await readSettled(places.file, bounds?.file);
    if (isSameText(text, this.#routeFile.text)) return;
    this.#routeFile.text = text;
    if (text === undefined) {
      this.#routeFile.routes = [];
      this.#serve();
      this.#report.routesRemoved(places.file);
      return;
    }
    try {
      if (text instanceof FileProblem) throw text;
      this.#routeFile.routes = readRouteFile(text, builtIn);
      this.#reportedHidden.clear();
      this.#serve();
      this.#report.routesLoaded(places.file, this.#visibleRoutes().length);
    } catch (error) {
      this.#report.failed("routes", places.file, error, this.#routeFile.routes.length > 0);
    }
  }

  /** Reports each route that a collection hides, once. */
  #reportHidden(): void {
    const problems = this.#routeFile.routes.flatMap((route) => {
      const by = this.#hiderOf(route)?.spec;
      return by ? [route.problem(`${nameOf(route)} is not served: the collection ${by.tag} serves ${by.path}`)] : [];
    });
    for (const problem of problems.filter(({ message }) => !this.#reportedHidden.has(message)))
      this.#report.routeHidden(this.#deps.places.file, problem);
    this.#reportedHidden = new Set(problems.map(({ message }) => message));
  }

  async #scan(): Promise<void> {
    if (this.#closed) return;
    const { places, bounds } = this.#deps;
    const wasThere = this.#watch.follow();
    const texts = await textsIn(places.folder, bounds?.folder);
    const mayRecover = await this.#collections.update(texts);
    clearTimeout(this.#again);
    if (mayRecover && !this.#closed) this.#again = setTimeout(() => this.#scanNext(), againAfterMs);
    await this.#updateRoutes();
    this.#reportHidden();
    if (!wasThere && texts.size > 0) this.#scanSoon();
  }

  #scanSoon(): void {
    if (this.#closed) return;
    clearTimeout(this.#pending);
    this.#pending = setTimeout(() => this.#scanNext(), quietMs);
  }

  #scanNext(): void {
    const { log, places } = this.#deps;
    this.#scanning = this.#scanning
      .then(() => this.#scan())
      .catch((error: unknown) => {
        // Other errors come from the database, which may be closing.
        if (!this.#closed) log.error({ err: error }, `the files in ${places.folder} could not be read`);
      });
  }
}

const nameOf = ({ spec }: Route) => `${spec.method} ${spec.path}`;

async function textsIn(folder: string, bounds: Bounds): Promise<Map<string, SettledText>> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isNowhere(error)) return [];
    throw error;
  });
  const texts = new Map<string, SettledText>();
  for (const name of names.filter((one) => /^[^.].*\.json$/i.test(one)).sort()) {
    const file = join(folder, name);
    const text = await readSettled(file, bounds);
    if (text !== undefined) texts.set(file, text);
  }
  return texts;
}
