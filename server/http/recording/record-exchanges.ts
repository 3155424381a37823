/** Which calls are recorded: by the settings, and by what they are. */
import type { IncomingHttpHeaders } from "node:http";
import { byConsoleHeader } from "../../contract/console/console.ts";
import type { RequestService } from "../../contract/console/requests.ts";
import type { Settings } from "../../contract/process/settings.ts";
import type { Middleware } from "../middleware.ts";
import { recordRequests, type Exchange } from "./request-recorder.ts";

/** The console, the health check and the files of the interactive description are no part of the API. */
const isNoApi = (path: string) =>
  /^\/(?:console|healthz)(?:\/|$)/i.test(path) || (/^\/swagger\//i.test(path) && !/^\/swagger\/docs\//i.test(path));
/** What the console's page shows and drives of the simulated platform: no client asks for that. */
const isByConsole = (path: string, headers: IncomingHttpHeaders) =>
  headers[byConsoleHeader] !== undefined && /^\/sim\//i.test(path);
const isHealthCheck = (path: string) => /^\/healthz\/?$/i.test(path);

/** The calls of each service that are nobody's business. `path` is without query. */
export const isUnrecorded: Readonly<Record<RequestService, (path: string, headers: IncomingHttpHeaders) => boolean>> = {
  app: isNoApi,
  // The whole state at once, with everybody's keys, goes between Hearth's own parts: no client calls that.
  provider: (path, headers) => isHealthCheck(path) || /^\/sim\/state\/?$/i.test(path) || isByConsole(path, headers),
  model: isHealthCheck,
};

interface Options {
  readonly settings: Pick<Settings, "record_requests" | "record_body_kb">;
  readonly take: (exchange: Exchange) => void;
  /** Unix time in ms. */
  readonly now: () => number;
}

/** To be mounted before all else of the service; undefined where the settings want nothing recorded. */
export function recordExchanges(service: RequestService, { settings, take, now }: Options): Middleware | undefined {
  if (!settings.record_requests) return undefined;
  const maxBodyBytes = settings.record_body_kb * 1024;
  return recordRequests({ service, take, maxBodyBytes, ignore: isUnrecorded[service], now });
}
