import type { Logger } from "pino";
import type { EventBus } from "../../events/event-bus.ts";
import { FileProblem } from "./json-source.ts";
import { ignoredFormatsMember } from "./schema/ignored-formats.ts";
import type { UserCollection } from "./user-collection.ts";

const source = "/app/collections";

/** Reports the results of loading the user's files to the log and the console. */
export interface FileReport {
  loaded(file: string, collection: UserCollection, added: number): void;
  removed(file: string, name: string): void;
  routesLoaded(file: string, routes: number): void;
  routesRemoved(file: string): void;
  /** A route that is not served, unlike the others of its file. */
  routeHidden(file: string, problem: FileProblem): void;
  /** A collection that is served without its seeds and generated items. */
  unfilled(file: string, problem: FileProblem): void;
  /** `inService`: an earlier version of the file stays in service. */
  failed(kind: "collection" | "routes", file: string, error: unknown, inService: boolean): void;
}

export function createFileReport(log: Logger, bus: EventBus): FileReport {
  function fault(kind: "collection" | "routes", file: string, error: unknown, kept: string, inService: boolean): void {
    const { line, column } = error instanceof FileProblem ? error.place : { line: 1, column: 1 };
    const message = error instanceof Error ? error.message : String(error);
    log.error(
      { file, line, column, ...(!(error instanceof FileProblem) && { err: error }) },
      `${file}:${String(line)}:${String(column)}: ${message} (${kept})`,
    );
    bus.publish({ type: `${kind}.failed`, source, data: { file, line, column, message, in_service: inService } });
  }

  return {
    loaded(file, { definition: { name }, ignoredFormats }, added) {
      log.info({ file, collection: name, added }, `collection ${name} is served at /api/${name}`);
      const ignored = ignoredFormatsMember(ignoredFormats);
      bus.publish({ type: "collection.loaded", source, subject: name, data: { file, name, added, ...ignored } });
      if (!ignored.ignored_formats) return;
      const named = ignored.ignored_formats.map(
        ({ format, line, column }) => `"${format}" (${String(line)}:${String(column)})`,
      );
      const left = ignoredFormats.length - named.length;
      const more = left > 0 ? ` and ${String(left)} more` : "";
      log.warn({ file, collection: name }, `${file}: formats that are not checked: ${named.join(", ")}${more}`);
    },
    removed(file, name) {
      log.info({ file, collection: name }, `collection ${name} is no longer served; its items are kept`);
      bus.publish({ type: "collection.removed", source, subject: name, data: { file, name } });
    },
    routesLoaded(file, routes) {
      log.info({ file, routes }, "the route file is served");
      bus.publish({ type: "routes.loaded", source, data: { file, routes } });
    },
    routesRemoved(file) {
      log.info({ file }, "the route file was removed, with its routes");
      bus.publish({ type: "routes.removed", source, data: { file } });
    },
    routeHidden: (file, problem) => fault("routes", file, problem, "its other routes are served", false),
    unfilled: (file, problem) => fault("collection", file, problem, "it is served without these items", true),
    failed(kind, file, error, inService) {
      const kept = inService ? "its previous version stays in use" : "none of its routes are served";
      fault(kind, file, error, kept, inService);
    },
  };
}
