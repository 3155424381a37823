/**
 * Records the exchanges of all services into one store: those of this process by a middleware, those of other processes
 * as they are delivered. It is created before the services; later knowledge is passed to it afterwards.
 */
import type { Logger } from "pino";
import type { RequestDelivery } from "../../contract/console/traffic/request-deliveries.ts";
import type { RequestService } from "../../contract/console/traffic/requests.ts";
import type { Settings } from "../../contract/process/settings.ts";
import { isUnrecorded, recordExchanges } from "../../http/recording/record-exchanges.ts";
import type { CapturedBody, Exchange } from "../../http/recording/request-recorder.ts";
import type { RequestStore } from "./store/request-store.ts";
import { Recorder } from "./recorder.ts";
import { secretNamesOf } from "./secrets/secret-names.ts";
import { createSecretVault } from "./secrets/secret-vault.ts";

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

export type Recording = ReturnType<typeof createRecording>;

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
    notes: { requestId: one.request_id, span: one.span },
  }));
}

export function createRecording({ settings, store, log, now, consoleToken }: Deps) {
  const isOn = settings.record_requests;
  const vault = createSecretVault();
  let ownSecrets: OwnSecrets = { names: () => [], isAnySecret: () => false };
  const secretNames = secretNamesOf(
    () => ownSecrets.names(),
    (path) => ownSecrets.isAnySecret(path),
  );
  const recorder = new Recorder({ store, hiding: { secretNames, vault, consoleToken }, log, now });
  return {
    /** False while the setting record_requests is off. */
    isOn,
    store,
    recorder,
    vault,
    secretNames,
    /** Must come first in the pipeline of a service in this process. Records nothing while recording is off. */
    middleware: (service: RequestService) =>
      recordExchanges(service, { settings, take: (exchange) => recorder.take(exchange), now }),
    /** True for paths that are not recorded, and so cannot be replayed. */
    isIgnored: (service: RequestService, path: string) => isUnrecorded[service](path, {}),
    /** Takes exchanges that another process recorded. */
    deliver(delivery: RequestDelivery): void {
      if (!isOn) return;
      for (const exchange of exchangesOf(delivery, now() - Date.now())) recorder.take(exchange);
      recorder.countDropped(delivery.dropped);
    },
    /** Adds secret fields to the fixed ones, such as the secret fields of collections. */
    protectFields(own: OwnSecrets): void {
      ownSecrets = own;
    },
  };
}
