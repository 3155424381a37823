/** Asks for keys, by the setting require_keys, and has the tokens of each answer counted for the key that asked. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage } from "node:http";
import type { KeyScope } from "../../contract/process/access-keys.ts";
import type { Settings } from "../../contract/process/settings.ts";
import { isFromHere } from "../../http/connection/peer/caller.ts";
import { bearerOf } from "../../http/conventions/bearer-token.ts";
import type { AdmittedKey, KeyGate } from "../../http/keys/key-gate.ts";
import { pathOf, type Middleware } from "../../http/middleware.ts";

interface Options {
  readonly keys: KeyGate;
  readonly required: Settings["require_keys"];
  /** Whether it is the run's console token, which may all that keys may. */
  readonly isToken: (key: string | undefined) => boolean;
}

const changesModels = /^\/api\/(?:pull|push|create|copy|delete|blobs)(?:\/|$)/i;
const scopeOf = (path: string): KeyScope => (changesModels.test(path) ? "model:manage" : "model:use");

/** Clients of OpenAI and Ollama send the one, those of Anthropic the other. */
function keyOf(req: IncomingMessage): string | undefined {
  const { "x-api-key": key } = req.headers;
  return bearerOf(req) ?? (typeof key === "string" ? key : undefined);
}

export function createKeyGuard({ keys, required, isToken }: Options) {
  const asking = new AsyncLocalStorage<AdmittedKey>();
  const isNeeded = (req: IncomingMessage) =>
    required === "always" || (!isFromHere(req) && (required === "elsewhere" || keys.hasKeys()));
  return {
    guard: ((req, res, next) => {
      const path = pathOf(req);
      // "Ollama is running": clients ask it to see whether anybody is there.
      if (path === "/" || !isNeeded(req)) return next();
      const key = keyOf(req);
      if (isToken(key)) return next();
      asking.run(keys.admit(key, scopeOf(path), res), next);
    }) satisfies Middleware,
    /** Counts tokens for the key by which the running request was admitted, if it needed one. */
    spend: (tokens: number): void => asking.getStore()?.spend(tokens),
    /** The id of that key. */
    keyOfCaller: () => asking.getStore()?.id,
  };
}
