/**
 * Records the exchanges of all services into one store: those of this process by a middleware, those of other processes
 * as they are delivered. It is created before the services; later knowledge is passed to it afterwards.
 */
import type { Logger } from "pino";
import type { RequestDelivery } from "../../contract/console/traffic/request-deliveries.ts";
import type { RequestService } from "../../contract/console/traffic/requests.ts";
import type { Settings } from "../../contract/process/settings.ts";
import type { Middleware } from "../../http/middleware.ts";
import { isUnrecorded, recordExchanges } from "../../http/recording/record-exchanges.ts";
import type { CapturedBody, Exchange } from "../../http/recording/request-recorder.ts";
import type { RequestStore } from "./store/request-store.ts";
import { Recorder } from "./recorder.ts";
import { secretNamesOf, type SecretNamesOf } from "./secrets/secret-names.ts";
import { createSecretVault, type SecretVault } from "./secrets/secret-vault.ts";

interface Deps {
  readonly settings: Pick<Settings, "record_requests">;
  readonly store: RequestStore;
  readonly log: Logger;
  /** Unix time in ms. */
  readonly now: () => number;
  /** The run's console token, which is recorded nowhere. */
  readonly consoleToken: string;
}

/** The secret fields of what users define. */
export interface OwnSecrets {
  names(): readonly string[];
  /** Whether every field that is sent to a path may be secret. */
  isAnySecret(path: string): boolean;
}

export interface Recording {
  /** False while the setting record_requests is off. */
  readonly isOn: boolean;
  readonly store: RequestStore;
  readonly recorder: Recorder;
  readonly vault: SecretVault;
  readonly secretNames: SecretNamesOf;
  /** Must come first in the pipeline of a service in this process; undefined while recording is off. */
  middleware(service: RequestService): Middleware | undefined;
  /** True for paths that are not recorded, and so cannot be replayed. */
  isIgnored(service: RequestService, path: string): boolean;
  /** Takes exchanges that another process recorded. */
  deliver(delivery: RequestDelivery): void;
  /** Adds secret fields to the fixed ones, such as the secret fields of collections. */
  protectFields(own: OwnSecrets): void;
  /** Stores everything taken so far. Must be called before the store is closed. */
  flush(): Promise<void>;
}

function capturedBody({ size, base64 }: { size: number; base64: string }): CapturedBody {
  const bytes = Buffer.from(base64, "base64");
  return { chunks: bytes.length === 0 ? [] : [bytes], kept: bytes.length, size };
}

/** `aheadMs`: how far the clock of the records is ahead of the real one. */
function exchangesOf({ service, exchanges }: RequestDelivery, aheadMs: number): Exchange[] {
  return exchanges.map((one) => ({
    service,
    time: one.time + aheadMs,
    ms: one.ms,
    method: one.method,
    target: one.target,
    requestHeaders: one.request_headers,
    requestBody: capturedBody(one.request_body),
    client: one.client,
    ...(one.status !== undefined && { status: one.status }),
    responseHeaders: one.response_headers,
    responseBody: capturedBody(one.response_body),
    ...(one.response_chunks && { responseChunks: one.response_chunks }),
    complete: one.complete,
    notes: {},
  }));
}

export function createRecording({ settings, store, log, now, consoleToken }: Deps): Recording {
  const isOn = settings.record_requests;
  const vault = createSecretVault();
  let ownSecrets: OwnSecrets = { names: () => [], isAnySecret: () => false };
  const secretNames = secretNamesOf(
    () => ownSecrets.names(),
    (path) => ownSecrets.isAnySecret(path),
  );
  const recorder = new Recorder({ store, hiding: { secretNames, vault, consoleToken }, log, now });
  return {
    isOn,
    store,
    recorder,
    vault,
    secretNames,
    middleware: (service) => recordExchanges(service, { settings, take: (exchange) => recorder.take(exchange), now }),
    isIgnored: (service, path) => isUnrecorded[service](path, {}),
    deliver(delivery) {
      if (!isOn) return;
      for (const exchange of exchangesOf(delivery, now() - Date.now())) recorder.take(exchange);
      recorder.countDropped(delivery.dropped);
    },
    protectFields(own) {
      ownSecrets = own;
    },
    flush: () => recorder.flush(),
  };
}
