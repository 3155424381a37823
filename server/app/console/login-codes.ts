/** Codes for logging in from a browser: short-lived, valid for one login, and hard to guess. */
import { createHash, randomBytes } from "node:crypto";

/** Letters and digits that are not easily confused (Crockford's base 32). */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const length = 12;
const groupLength = 4;
const lifetimeSeconds = 15 * 60;
/** Beyond this number the oldest code is dropped. */
const maxOpen = 20;
/** One of the 2^60 codes is hit within its lifetime with a chance below 1 in 10^9, even at 10,000 guesses a second. */
const maxWrongTries = 20;
const wrongTriesMs = 60_000;

const digest = (text: string) => createHash("sha256").update(text).digest("hex");

/** Accepts any case, with or without the hyphen, and O for 0. */
const normalized = (typed: string) =>
  typed.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");

/** Counts failures per minute. */
function createTryLimit(now: () => number) {
  let since = 0;
  let failures = 0;
  return {
    /** Seconds until the next attempt is allowed; 0: at once. */
    waitSeconds: () => (failures < maxWrongTries ? 0 : Math.max(0, Math.ceil((since + wrongTriesMs - now()) / 1_000))),
    fail() {
      if (now() - since >= wrongTriesMs) [since, failures] = [now(), 0];
      failures += 1;
    },
  };
}

/** `maker`: the id of the key that the code was made with. */
export type Redeemed =
  { outcome: "good"; maker: string | undefined } | { outcome: "wrong" } | { outcome: "later"; waitSeconds: number };

/** `now`: Unix time in ms by the real clock, not the simulated one. */
export function createLoginCodes(now: () => number = Date.now) {
  /** By the digest of each open code. */
  const open = new Map<string, { readonly endsAt: number; readonly maker: string | undefined }>();
  // Counted apart, so that strangers cannot lock out the person at this machine.
  const limits = { here: createTryLimit(now), elsewhere: createTryLimit(now) };

  return {
    create(maker?: string): { code: string; expiresInSeconds: number } {
      const code = Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join("");
      open.set(digest(code), { endsAt: now() + lifetimeSeconds * 1_000, maker });
      for (const [oldest] of open) if (open.size > maxOpen) open.delete(oldest);
      const groups = code.match(new RegExp(`.{${String(groupLength)}}`, "g")) ?? [];
      return { code: groups.join("-"), expiresInSeconds: lifetimeSeconds };
    },

    /** Uses up a code. `from`: whether the attempt comes from this machine. */
    redeem(typed: string, from: keyof typeof limits): Redeemed {
      const key = digest(normalized(typed));
      const code = open.get(key);
      open.delete(key);
      // First, so that no wrong codes of others keep out a person who has a good one.
      if (code !== undefined && now() < code.endsAt) return { outcome: "good", maker: code.maker };
      const waitSeconds = limits[from].waitSeconds();
      if (waitSeconds > 0) return { outcome: "later", waitSeconds };
      limits[from].fail();
      return { outcome: "wrong" };
    },
  };
}
