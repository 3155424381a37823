import { foreignDeadlineMs } from "../../foreign/foreign-limits.ts";
import type { EventStreams } from "../../http/connection/bodies/event-streams.ts";
import type { EventKernel, Feature } from "../../kernel/feature.ts";
import type { OwnSecrets } from "./recording.ts";
import { createReplay, type ReplayDeps } from "./replay.ts";
import { requestsConsoleRoutes } from "./requests-console-routes.ts";

interface Ports extends ReplayDeps {
  readonly version: string;
  readonly streams: EventStreams;
  /** Secret fields of the collections. */
  readonly secretFields: OwnSecrets;
}

interface RecordedRequests {
  /** Removes all and returns their number. */
  readonly clear: () => Promise<number>;
}

/** The operations on recorded requests. */
export const requestsFeature: Feature<EventKernel<object>, Ports, RecordedRequests> = {
  name: "requests",
  consoleTags: {
    requests: "Recorded requests: inspect, wait for, assert and replay them.",
  },
  open(_kernel, { version, streams, secretFields, ...deps }) {
    const { recording, baseUrl } = deps;
    recording.protectFields(secretFields);
    return {
      consoleRoutes: requestsConsoleRoutes({
        recording,
        replay: createReplay(deps),
        streams,
        baseUrl,
        patternDeadlineMs: foreignDeadlineMs,
        version,
      }),
      port: { clear: () => recording.recorder.clear() },
    };
  },
};
