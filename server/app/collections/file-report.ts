import type { Logger } from "pino";
import type { EventBus } from "../../events/event-bus.ts";
import { FileProblem } from "./json-source.ts";

const source = "/app/collections";

/** Reports the results of loading the user's files to the log and the console. */
export interface FileReport {
  loaded(file: string, name: string, added: number): void;
  removed(file: string, name: string): void;
  routesLoaded(file: string, routes: number): void;
  routesRemoved(file: string): void;
  /** `inService`: an earlier version of the file stays in service. */
  failed(kind: "collection" | "routes", file: string, error: unknown, inService: boolean): void;
}

export function createFileReport(log: Logger, bus: EventBus): FileReport {
  return {
    loaded(file, name, added) {
      log.info({ file, collection: name, added }, `collection ${name} is served at /api/${name}`);
      bus.publish({ type: "collection.loaded", source, subject: name, data: { file, name, added } });
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
    failed(kind, file, error, inService) {
      const { line, column } = error instanceof FileProblem ? error.place : { line: 1, column: 1 };
      const message = error instanceof Error ? error.message : String(error);
      const kept = inService ? "the version before it stays in service" : "nothing of it is served";
      log.error(
        { file, line, column, ...(!(error instanceof FileProblem) && { err: error }) },
        `${file}:${String(line)}:${String(column)}: ${message} (${kept})`,
      );
      bus.publish({
        type: `${kind}.failed`,
        source,
        data: { file, line, column, message, in_service: inService },
      });
    },
  };
}
