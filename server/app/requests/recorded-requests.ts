/** The operations on what was recorded, put together. */
import type { Route } from "../../http/route.ts";
import type { Recording } from "./recording.ts";
import { createReplay, type ReplayDeps } from "./replay.ts";
import { requestsRoutes } from "./requests-routes.ts";

interface Deps extends Pick<ReplayDeps, "beginSession" | "baseUrl"> {
  readonly recording: Recording;
  readonly version: string;
}

export interface RecordedRequests {
  readonly routes: readonly Route[];
  /** Removes all and answers how many there were. */
  readonly clear: () => Promise<number>;
}

export function createRecordedRequests({ recording, baseUrl, beginSession, version }: Deps): RecordedRequests {
  return {
    routes: requestsRoutes({ recording, replay: createReplay({ recording, beginSession, baseUrl }), baseUrl, version }),
    clear: recording.recorder.clear,
  };
}
