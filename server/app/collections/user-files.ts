/**
 * What users define by files, with hot reload: collections by JSON Schema files in a folder, fixed answers by a route
 * file.
 */
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import type { EndpointSpec } from "../../contract/endpoint.ts";
import type { EventBus } from "../../events/event-bus.ts";
import { createRouteTable, type RouteTable } from "../../http/route-table.ts";
import type { Route } from "../../http/route.ts";
import type { RecordTransfer } from "../../store/records/record-transfer.ts";
import { createCollectionSet, isSameProblem, type Refusal } from "./collection-set.ts";
import { createFileReport } from "./file-report.ts";
import type { Chances } from "./misbehave.ts";
import { readRouteFile } from "./route-file.ts";
import { readSettled, refuseUnread } from "./settled-text.ts";
import type { UserCollection, UserDefinition } from "./user-collection.ts";
import { watchPlaces, type Places } from "./watch-places.ts";
import { isNowhere } from "../../file-system/is-missing.ts";

export interface UserFilesDeps {
  readonly places: Places;
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
  /** The collection that a text would make. @throws FileProblem */
  readonly check: (file: string, text: string) => Promise<UserCollection>;
  /** Reads the files now. */
  readonly rescan: () => Promise<void>;
  /** Inserts seeds and generated items into empty collections again. */
  readonly refill: () => Promise<void>;
  close(): Promise<void>;
}

/** Writing a file takes several moments, and a checkout writes many files. */
const quietMs = 40;

export function openUserFiles({ places, builtIn, log, bus, ...deps }: UserFilesDeps): UserFiles {
  const report = createFileReport(log, bus);
  const collections = createCollectionSet({ ...deps, builtIn, report, onChange: serve });
  const routeFile: { text?: string | undefined; routes: readonly Route[]; refusal?: Refusal | undefined } = {
    routes: [],
  };
  let specs: readonly EndpointSpec[] = [];
  let table = createRouteTable([]);
  let pending: NodeJS.Timeout | undefined;
  let looking = Promise.resolve();
  let closed = false;

  /** Serves what the loaded files define. A collection hides a route of the file with the same method and path. */
  function serve(): void {
    const served = collections.routes();
    const keys = new Set(served.map(keyOf));
    const routes = [...served, ...routeFile.routes.filter((route) => !keys.has(keyOf(route)))];
    table = createRouteTable(routes);
    specs = routes.map(({ spec }) => spec);
  }

  async function updateRoutes(): Promise<void> {
    const text = await readSettled(places.file);
    const { refusal } = routeFile;
    const revision = collections.revision();
    const isSame = text === routeFile.text;
    if (isSame && (refusal === undefined || refusal.revision === revision)) return;
    routeFile.text = text;
    routeFile.refusal = undefined;
    if (text === undefined) {
      routeFile.routes = [];
      serve();
      report.routesRemoved(places.file);
      return;
    }
    try {
      refuseUnread(text);
      const taken = [...builtIn, ...collections.routes().map(({ spec }) => spec)];
      routeFile.routes = readRouteFile(text, taken);
      serve();
      report.routesLoaded(places.file, routeFile.routes.length);
    } catch (error) {
      routeFile.refusal = { error, revision };
      if (isSame && refusal && isSameProblem(refusal.error, error)) return;
      report.failed("routes", places.file, error, routeFile.routes.length > 0);
    }
  }

  async function scan(): Promise<void> {
    if (closed) return;
    const wasThere = watch.follow();
    const texts = await textsIn(places.folder);
    await collections.update(texts);
    await updateRoutes();
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
    check: collections.check,
    async rescan() {
      scanNext();
      await looking;
    },
    refill: collections.refill,
    async close() {
      closed = true;
      clearTimeout(pending);
      await watch.close();
      await looking;
    },
  };
}

const keyOf = ({ spec }: Route) => `${spec.method} ${spec.path}`;

async function textsIn(folder: string): Promise<Map<string, string>> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isNowhere(error)) return [];
    throw error;
  });
  const texts = new Map<string, string>();
  for (const name of names.filter((one) => /^[^.].*\.json$/i.test(one)).sort()) {
    const file = join(folder, name);
    const text = await readSettled(file);
    if (text !== undefined) texts.set(file, text);
  }
  return texts;
}
