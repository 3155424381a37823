/** Codes that are typed or opened in a browser: each good for one login, soon worthless, and not to be guessed. */
import { createHash, randomBytes } from "node:crypto";

/** Letters and digits that nobody takes for others (Crockford's base 32). */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const length = 8;
const lifetimeSeconds = 15 * 60;
/** Beyond it the oldest is given up. */
const maxOpen = 20;
/** With 2^40 codes, someone who tries without pause hits one of the open ones within their time once in 10^8 times. */
const maxWrongTries = 20;
const wrongTriesMs = 60_000;

const digest = (text: string) => createHash("sha256").update(text).digest("hex");

/** As people type it: in any case, with or without the hyphen, O for 0. */
const normalized = (typed: string) =>
  typed.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");

/** Counts failures since the first of a minute. */
function createTryLimit(now: () => number) {
  let since = 0;
  let failures = 0;
  return {
    /** Seconds until another try counts; 0: at once. */
    waitSeconds: () => (failures < maxWrongTries ? 0 : Math.max(0, Math.ceil((since + wrongTriesMs - now()) / 1_000))),
    fail() {
      if (now() - since >= wrongTriesMs) [since, failures] = [now(), 0];
      failures += 1;
    },
  };
}

export type Redeemed = { outcome: "good" | "wrong" } | { outcome: "later"; waitSeconds: number };

/** `now`: Unix time in ms; the real one, whatever the simulated clock shows. */
export function createLoginCodes(now: () => number = Date.now) {
  /** Digest of each open code → when it ends. */
  const open = new Map<string, number>();
  // Strangers must not be able to keep out who sits at this machine.
  const limits = { here: createTryLimit(now), elsewhere: createTryLimit(now) };

  return {
    create(): { code: string; expiresInSeconds: number } {
      const code = Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join("");
      open.set(digest(code), now() + lifetimeSeconds * 1_000);
      for (const [oldest] of open) if (open.size > maxOpen) open.delete(oldest);
      return { code: `${code.slice(0, length / 2)}-${code.slice(length / 2)}`, expiresInSeconds: lifetimeSeconds };
    },

    /** Uses a code up. `from`: whether somebody on this machine tries it. */
    redeem(typed: string, from: keyof typeof limits): Redeemed {
      const waitSeconds = limits[from].waitSeconds();
      if (waitSeconds > 0) return { outcome: "later", waitSeconds };
      const key = digest(normalized(typed));
      const endsAt = open.get(key);
      open.delete(key);
      if (endsAt !== undefined && now() < endsAt) return { outcome: "good" };
      limits[from].fail();
      return { outcome: "wrong" };
    },
  };
}
