/** The calls of each service that are nobody's business, and so are not recorded. */
import type { IncomingHttpHeaders } from "node:http";
import { byConsoleHeader } from "../contract/console.ts";
import type { RequestService } from "../contract/requests.ts";

/** The console, the health check and the files of the interactive description are no part of the API. */
const isNoApi = (path: string) =>
  /^\/(?:console|healthz)(?:\/|$)/i.test(path) || (/^\/swagger\//i.test(path) && !/^\/swagger\/docs\//i.test(path));
/** What the console's page shows and drives of the simulated platform: no client asks for that. */
const isByConsole = (path: string, headers: IncomingHttpHeaders) =>
  headers[byConsoleHeader] !== undefined && /^\/sim\//i.test(path);
const isHealthCheck = (path: string) => /^\/healthz\/?$/i.test(path);

/** `path` is without query. */
export const isUnrecorded: Readonly<Record<RequestService, (path: string, headers: IncomingHttpHeaders) => boolean>> = {
  app: isNoApi,
  // The whole state at once, with everybody's keys, goes between Hearth's own parts: no client calls that.
  provider: (path, headers) => isHealthCheck(path) || /^\/sim\/state\/?$/i.test(path) || isByConsole(path, headers),
  model: isHealthCheck,
};
