/** The asker: the person or program on whose behalf Hearth sends a request. */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { plainAddress } from "../connection/peer/addresses.ts";
import { bearerOf } from "../conventions/bearer-token.ts";
import { callerAddress, isFromHere, isFromThisMachine } from "../connection/peer/caller.ts";

/** A program on this machine, or somebody on another one, with their address if known. */
export type Asker = "here" | { readonly address: string | undefined };

export type IsToken = (text: string | undefined) => boolean;

/**
 * The sender of a request. The address that a proxy states is trusted only together with the console's token, whose
 * holder could ask directly anyway.
 */
export function askerOf(req: IncomingMessage, isToken: IsToken = () => false): Asker {
  if (isFromHere(req)) return "here";
  if (!isFromThisMachine(req)) return { address: callerAddress(req) };
  const { "x-forwarded-for": list = [] } = req.headers;
  const last = [list].flat().join(",").split(",").at(-1)?.trim() ?? "";
  return { address: isIP(last) !== 0 && isToken(bearerOf(req)) ? plainAddress(last) : undefined };
}

/** For routes that require the token. */
export const isTrusted: IsToken = () => true;

/** Headers that pass the asker on to the next service. */
export const forwardedFor = (asker: Asker): Readonly<Record<string, string>> =>
  asker === "here" ? {} : { "x-forwarded-for": asker.address ?? "unknown" };

/**
 * The asker in stored form, for later requests: undefined for a program on this machine, empty for an unknown address.
 */
export const keptAsker = (asker: Asker): string | undefined => (asker === "here" ? undefined : (asker.address ?? ""));

export const askerKept = (kept: string | null | undefined): Asker =>
  kept === undefined || kept === null ? "here" : { address: kept === "" ? undefined : kept };
