import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const idBytes = 32;

/**
 * Browser sessions, each a random value with a signature; nothing is stored. They survive a restart of this process,
 * but not the run, whose key signs them. They do not contain the run's token. One that came of a key names it.
 */
export function createConsoleSessions(key: string) {
  const sign = (id: string) => createHmac("sha256", key).update(id).digest();
  return {
    /** The cookie value for one browser. */
    create(maker = ""): string {
      const id = `${randomBytes(idBytes).toString("base64url")}~${maker}`;
      return `${id}.${sign(id).toString("base64url")}`;
    },
    /** The session of a cookie's value; undefined for one that is not valid. `maker`: the id of the key that it came of. */
    read(value: string): { readonly maker: string | undefined } | undefined {
      const [id = "", signature = ""] = value.split(".");
      const [given, right] = [Buffer.from(signature, "base64url"), sign(id)];
      if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
      return { maker: id.split("~")[1] || undefined };
    },
  };
}
