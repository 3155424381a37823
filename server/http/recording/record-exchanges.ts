/** Decides which exchanges are recorded, by settings and paths. */
import type { IncomingHttpHeaders } from "node:http";
import { byConsoleHeader } from "../../contract/console/by-console.ts";
import type { RequestService } from "../../contract/console/traffic/requests.ts";
import type { Settings } from "../../contract/process/settings.ts";
import type { Middleware } from "../middleware.ts";
import { recordRequests, type Exchange } from "./request-recorder.ts";

/** The console, the health checks and the files of the interactive description are not part of the API. */
const isNoApi = (path: string) =>
  /^\/(?:console|healthz|livez|readyz)(?:\/|$)/i.test(path) ||
  (/^\/swagger\//i.test(path) && !/^\/swagger\/docs\//i.test(path));
/** Acts of a buyer, in the phone or by the buttons of an order. */
const isBuyersAct = (path: string) => /^\/sim\/(?:users\/[^/]+\/payments|orders\/[^/]+\/[\w-]+)\/?$/i.test(path);
/** The calls of the console's page to the simulator, which are no client's, except those for a buyer. */
const isByConsole = (path: string, headers: IncomingHttpHeaders) =>
  headers[byConsoleHeader] !== undefined && /^\/sim\//i.test(path) && !isBuyersAct(path);
const isHealthCheck = (path: string) => /^\/(?:healthz|livez|readyz)\/?$/i.test(path);

/** Paths of each service that are not recorded. `path` is without query. */
export const isUnrecorded: Readonly<Record<RequestService, (path: string, headers: IncomingHttpHeaders) => boolean>> = {
  app: isNoApi,
  // The state with all keys is only exchanged within Hearth.
  provider: (path, headers) => isHealthCheck(path) || /^\/sim\/state\/?$/i.test(path) || isByConsole(path, headers),
  model: isHealthCheck,
};

interface Options {
  readonly settings: Pick<Settings, "record_requests">;
  readonly take: (exchange: Exchange) => void;
  /** Unix time in ms. */
  readonly now: () => number;
}

/** Must come first in the service's pipeline; undefined while recording is off. */
export function recordExchanges(service: RequestService, { settings, take, now }: Options): Middleware | undefined {
  if (!settings.record_requests) return undefined;
  return recordRequests({ service, take, ignore: isUnrecorded[service], now });
}
