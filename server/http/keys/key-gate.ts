/**
 * Admits requests by keys: it checks the key, its scope and its expiry, and enforces its limits. Each service has its
 * own.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { KeyScope, StoredKey } from "../../contract/process/access-keys.ts";
import { HttpError, refuse } from "../http-error.ts";

export interface AdmittedKey {
  readonly id: string;
  /** Counts model tokens that a request has used. */
  spend(tokens: number): void;
}

interface Options {
  /** The keys as they are now. */
  readonly keys: () => readonly StoredKey[];
  /** Unix time in ms, by the real clock. */
  readonly now?: () => number;
}

/** The consumption of a key. */
interface Use {
  minute: number;
  requests: number;
  active: number;
  day: number;
  tokens: number;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

const challenge = { headers: { "WWW-Authenticate": "Bearer" } };

export const keyUnknown = () => refuse("key.unknown", undefined, challenge);

const exhausted = (code: "key.perMinute" | "key.concurrent" | "key.perDay", limit: number, waitMs: number) =>
  refuse(code, { limit }, { retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) });

/** Whether a refusal concerns a key. Each API answers it in its own format. */
export const isKeyRefusal = (error: unknown): error is HttpError =>
  error instanceof HttpError && error.code.startsWith("key_");

export function createKeyGate({ keys, now = Date.now }: Options) {
  const uses = new Map<string, Use>();

  function useOf(id: string, at: number): Use {
    const use = uses.get(id) ?? { minute: 0, requests: 0, active: 0, day: 0, tokens: 0 };
    uses.set(id, use);
    const [minute, day] = [Math.floor(at / minuteMs), Math.floor(at / dayMs)];
    if (use.minute !== minute) [use.minute, use.requests] = [minute, 0];
    if (use.day !== day) [use.day, use.tokens] = [day, 0];
    return use;
  }

  /** Compares with all keys, so that the time does not reveal which one matches. */
  function find(secret: string): StoredKey | undefined {
    const digest = createHash("sha256").update(secret).digest();
    let found: StoredKey | undefined;
    for (const key of keys()) if (timingSafeEqual(Buffer.from(key.sha256, "hex"), digest)) found = key;
    return found;
  }

  /** @throws HttpError 429 */
  function checkLimits({ limits }: StoredKey, use: Use, at: number): void {
    const { requests_per_minute, concurrent_requests, tokens_per_day } = limits;
    if (requests_per_minute !== undefined && use.requests >= requests_per_minute)
      throw exhausted("key.perMinute", requests_per_minute, minuteMs - (at % minuteMs));
    if (concurrent_requests !== undefined && use.active >= concurrent_requests)
      throw exhausted("key.concurrent", concurrent_requests, 1_000);
    if (tokens_per_day !== undefined && use.tokens >= tokens_per_day)
      throw exhausted("key.perDay", tokens_per_day, dayMs - (at % dayMs));
  }

  const isExpired = ({ expires_at }: StoredKey) => expires_at !== undefined && now() >= Date.parse(expires_at);

  return {
    /** Whether there is a key at all. */
    hasKeys: () => keys().length > 0,
    /** Whether a key with this id exists and has not expired. */
    isGood: (id: string) => keys().some((key) => key.id === id && !isExpired(key)),
    /**
     * Admits a request that is answered by `res`.
     * @throws HttpError 401 for a key that is missing, unknown or expired, 403 for one without the scope, 429 for one that
     * has reached a limit
     */
    admit(secret: string | undefined, scope: KeyScope, res: ServerResponse): AdmittedKey {
      if (secret === undefined) throw refuse("key.required", undefined, challenge);
      const key = find(secret);
      if (!key) throw keyUnknown();
      const at = now();
      if (isExpired(key)) throw refuse("key.expired", { at: String(key.expires_at) }, challenge);
      if (!key.scopes.includes(scope)) throw refuse("key.scope", { scope });
      const use = useOf(key.id, at);
      checkLimits(key, use, at);
      use.requests++;
      use.active++;
      res.once("close", () => use.active--);
      return { id: key.id, spend: (tokens: number) => void (useOf(key.id, now()).tokens += tokens) };
    },
  };
}
export type KeyGate = ReturnType<typeof createKeyGate>;
