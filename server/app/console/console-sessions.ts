import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const idBytes = 32;

/**
 * Browser sessions, each a random value with a signature; nothing is stored. They survive a restart of this process,
 * but not the run, whose key signs them. They do not contain the run's token.
 */
export function createConsoleSessions(key: string) {
  const sign = (id: string) => createHmac("sha256", key).update(id).digest();
  return {
    /** The cookie value for one browser. */
    create(): string {
      const id = randomBytes(idBytes).toString("base64url");
      return `${id}.${sign(id).toString("base64url")}`;
    },
    isValid(value: string): boolean {
      const [id = "", signature = ""] = value.split(".");
      const [given, right] = [Buffer.from(signature, "base64url"), sign(id)];
      return given.length === right.length && timingSafeEqual(given, right);
    },
  };
}
