/** The operations on what was recorded, put together. */
import type { Route } from "../../http/route.ts";
import { createReplay, type ReplayDeps } from "./replay.ts";
import { requestsRoutes } from "./requests-routes.ts";

interface Deps extends ReplayDeps {
  readonly version: string;
}

export interface RecordedRequests {
  readonly routes: readonly Route[];
  /** Removes all and answers how many there were. */
  readonly clear: () => Promise<number>;
}

export function createRecordedRequests({ version, ...deps }: Deps): RecordedRequests {
  const { recording, baseUrl } = deps;
  return {
    routes: requestsRoutes({ recording, replay: createReplay(deps), baseUrl, version }),
    clear: recording.recorder.clear,
  };
}
