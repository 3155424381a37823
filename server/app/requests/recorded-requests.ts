/** The operations on recorded requests. */
import type { Route } from "../../http/route.ts";
import type { EventStreams } from "../../http/connection/bodies/event-streams.ts";
import { createReplay, type ReplayDeps } from "./replay.ts";
import { requestsConsoleRoutes } from "./requests-console-routes.ts";

interface Deps extends ReplayDeps {
  readonly version: string;
  /** Time limit of a filter's expression on paths. */
  readonly patternDeadlineMs: number;
  readonly streams: EventStreams;
}

export interface RecordedRequests {
  readonly consoleRoutes: readonly Route[];
  /** Removes all and returns their number. */
  readonly clear: () => Promise<number>;
}

export function createRecordedRequests({ version, streams, patternDeadlineMs, ...deps }: Deps): RecordedRequests {
  const { recording, baseUrl } = deps;
  return {
    consoleRoutes: requestsConsoleRoutes({
      recording,
      replay: createReplay(deps),
      streams,
      baseUrl,
      patternDeadlineMs,
      version,
    }),
    clear: recording.recorder.clear,
  };
}
