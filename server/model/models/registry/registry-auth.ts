/**
 * Authorization at registries: a token from the registry's token endpoint, or the settings' credentials for its host.
 */
import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { readReply } from "../../../http/outgoing/read-reply.ts";
import { quotedPairs } from "../../../contract/quoted-pairs.ts";
import { RegistryError } from "./registry-error.ts";
import type { SigningKey } from "./signing-key.ts";
import type { Transport } from "./transport.ts";

/** Value of `Authorization` by host (with its port where it has one). */
export type RegistryCredentials = ReadonlyMap<string, string>;

/**
 * Reads the setting registry_auth: `host=user:password` or `host=token` for each registry, separated by blanks or
 * commas.
 */
export function parseCredentials(text: string): RegistryCredentials {
  const pairs = text.split(/[\s,]+/).flatMap((pair) => {
    const equals = pair.indexOf("=");
    const [host, secret] = [pair.slice(0, Math.max(equals, 0)), pair.slice(equals + 1)];
    if (host === "" || secret === "") return [];
    const value = secret.includes(":") ? `Basic ${Buffer.from(secret).toString("base64")}` : `Bearer ${secret}`;
    return [[host.toLowerCase(), value] as const];
  });
  return new Map(pairs);
}

/** Names of one registry; the short one is an alias of the other. */
const huggingFace = ["hf.co", "huggingface.co"];

export const isSameRegistry = (a: string, b: string): boolean =>
  a === b || (huggingFace.includes(a) && huggingFace.includes(b));

interface Challenge {
  readonly realm: URL;
  readonly service: string;
  readonly scopes: readonly string[];
}

const maxTokenBytes = 1024 * 1024;
const tokenSchema = z.object({ token: z.string().optional(), access_token: z.string().optional() });

/** The parts of `WWW-Authenticate: Bearer realm="…",service="…",scope="…"`; undefined for other schemes. */
function parseChallenge(header: string | undefined): Challenge | undefined {
  if (header === undefined || !/^Bearer\s/i.test(header)) return undefined;
  const parts = quotedPairs(header);
  const realm = parts.get("realm") ?? "";
  if (!URL.canParse(realm)) return undefined;
  return {
    realm: new URL(realm),
    service: parts.get("service") ?? "",
    scopes: (parts.get("scope") ?? "").split(" ").filter(Boolean),
  };
}

export interface TokenDeps {
  readonly transport: Transport;
  readonly key: SigningKey;
  readonly credentials: RegistryCredentials;
}

/** The signed text: method, address and the hash of the (empty) body. */
const signedText = (url: URL) => {
  const bodyHash = createHash("sha256").update("").digest("hex");
  return `GET,${url.href},${Buffer.from(bodyHash).toString("base64")}`;
};

/**
 * The `Authorization` that a 401 of `origin` requires; undefined when we have none.
 * @throws RegistryError when the token endpoint refuses, or is on another host, which must not get a signature or a
 * password
 */
export async function answerChallenge(
  { transport, key, credentials }: TokenDeps,
  { origin, header, signal }: { origin: URL; header: string | undefined; signal: AbortSignal },
): Promise<string | undefined> {
  const challenge = parseChallenge(header);
  if (challenge === undefined) return undefined;
  const url = challenge.realm;
  if (!isSameRegistry(url.host, origin.host) || (url.protocol !== origin.protocol && url.protocol !== "https:"))
    throw new RegistryError(401, `realm host "${url.host}" does not match original host "${origin.host}"`);
  url.searchParams.append("service", challenge.service);
  for (const scope of challenge.scopes) url.searchParams.append("scope", scope);
  url.searchParams.append("ts", String(Math.floor(Date.now() / 1000)));
  url.searchParams.append("nonce", randomBytes(16).toString("base64url"));
  const authorization = credentials.get(origin.host) ?? (await key.sign(signedText(url)));
  const reply = await transport.get(url, { Authorization: authorization, Accept: "application/json" }, signal);
  const body = (await readReply(reply, maxTokenBytes)).toString("utf8");
  if (reply.statusCode !== 200)
    throw new RegistryError(reply.statusCode ?? 500, `${String(reply.statusCode)}: ${transport.quote(body)}`);
  return `Bearer ${readToken(body, origin)}`;
}

function readToken(body: string, origin: URL): string {
  try {
    const { token, access_token } = tokenSchema.parse(JSON.parse(body));
    const found = token ?? access_token ?? "";
    if (/^[\x21-\x7e]+$/.test(found)) return found;
  } catch {
    // The error below has the reason.
  }
  throw new RegistryError(401, `${origin.host} did not return a token`);
}
