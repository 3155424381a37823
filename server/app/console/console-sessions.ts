import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const idBytes = 32;

/**
 * Sessions of browsers, each known by a random value that is signed, not stored: it survives a restart of this process, but
 * not the run, whose key it is. The run's token is nowhere in it.
 */
export function createConsoleSessions(key: string) {
  const sign = (id: string) => createHmac("sha256", key).update(id).digest();
  return {
    /** The value for the cookie of one browser. */
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
