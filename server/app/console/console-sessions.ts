import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const idBytes = 32;

/**
 * Browser sessions, each a random value with a signature; nothing is stored. They survive a restart of this process,
 * but not the run, whose key signs them. They do not contain the run's token. One that was made with a key names it.
 */
export function createConsoleSessions(key: string) {
  const sign = (id: string) => createHmac("sha256", key).update(id).digest();
  return {
    /** The cookie value for one browser. */
    create(maker = ""): string {
      const id = `${randomBytes(idBytes).toString("base64url")}~${maker}`;
      return `${id}.${sign(id).toString("base64url")}`;
    },
    /** The session of a cookie's value; undefined for an invalid one. `maker`: the id of the key that made it. */
    read(value: string): { readonly maker: string | undefined } | undefined {
      const [id = "", signature = ""] = value.split(".");
      const [sent, expected] = [Buffer.from(signature, "base64url"), sign(id)];
      if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return undefined;
      return { maker: id.split("~")[1] || undefined };
    },
  };
}
