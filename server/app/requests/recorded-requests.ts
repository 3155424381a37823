/** The recording of requests, put together: what watches them go by, and the operations on what was recorded. */
import type { RequestHandler } from "express";
import type { Logger } from "pino";
import type { Settings } from "../../contract/settings.ts";
import { recordRequests } from "../../http/request-recorder.ts";
import type { Route } from "../../http/route.ts";
import type { RequestStore } from "../../store/request-store.ts";
import { createRecorder } from "./recorder.ts";
import { createReplay, type ReplayDeps } from "./replay.ts";
import { requestsRoutes } from "./requests-routes.ts";
import { secretNamesOf } from "./secret-names.ts";
import { createSecretVault } from "./secret-vault.ts";

interface Deps extends Pick<ReplayDeps, "beginSession" | "baseUrl"> {
  readonly settings: Pick<Settings, "record_requests" | "record_body_kb">;
  readonly store: RequestStore;
  readonly log: Logger;
  readonly version: string;
  /** Fields that collections keep to themselves. */
  readonly secretFields: () => readonly string[];
  readonly now: () => number;
}

export interface RecordedRequests {
  /** To be mounted before all else; undefined while the setting record_requests is off. */
  readonly middleware: RequestHandler | undefined;
  readonly routes: readonly Route[];
  /** Removes all and answers how many there were. */
  readonly clear: () => Promise<number>;
  /** Stores what has been seen so far; the last thing before the store is closed. */
  readonly flush: () => void;
}

/** The console, the health check and the files of the interactive description are no part of the API. */
const isIgnored = (path: string) =>
  /^\/(?:console|healthz)(?:\/|$)/i.test(path) || (/^\/swagger\//i.test(path) && !/^\/swagger\/docs\//i.test(path));

export function createRecordedRequests(deps: Deps): RecordedRequests {
  const { settings, store, log, now } = deps;
  const vault = createSecretVault();
  const secretNames = secretNamesOf(deps.secretFields);
  const recorder = createRecorder({ store, hiding: { secretNames, vault }, log });
  const replay = createReplay({
    recorder,
    vault,
    secretNames,
    userOfSession: store.userOfSession,
    beginSession: deps.beginSession,
    baseUrl: deps.baseUrl,
    isIgnored,
    isRecording: settings.record_requests,
  });
  return {
    middleware: settings.record_requests
      ? recordRequests({ take: recorder.take, maxBodyBytes: settings.record_body_kb * 1024, ignore: isIgnored, now })
      : undefined,
    routes: requestsRoutes({ store, recorder, replay, baseUrl: deps.baseUrl, version: deps.version }),
    clear: recorder.clear,
    flush: recorder.flush,
  };
}
