/** For whom a request is sent that somebody has asked for. */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { plainAddress } from "../connection/addresses.ts";
import { bearerOf } from "../conventions/bearer-token.ts";
import { callerAddress, isFromHere, isFromThisMachine } from "../connection/caller.ts";

/** A program on this machine, or somebody beyond it: at which address, where that is known. */
export type Asker = "here" | { readonly address: string | undefined };

export type IsToken = (given: string | undefined) => boolean;

/**
 * Who has sent a request. What has passed it on is believed about the address where it holds the console's token only:
 * whoever does could have asked himself.
 */
export function askerOf(req: IncomingMessage, isToken: IsToken = () => false): Asker {
  if (isFromHere(req)) return "here";
  if (!isFromThisMachine(req)) return { address: plainAddress(callerAddress(req)) };
  const { "x-forwarded-for": list = [] } = req.headers;
  const last = [list].flat().join(",").split(",").at(-1)?.trim() ?? "";
  return { address: isIP(last) !== 0 && isToken(bearerOf(req)) ? plainAddress(last) : undefined };
}

/** For routes that nobody reaches without the token. */
export const isTrusted: IsToken = () => true;

/** Headers that tell the next service for whom a request is passed on to it. */
export const passedOnFor = (asker: Asker): Readonly<Record<string, string>> =>
  asker === "here" ? {} : { "x-forwarded-for": asker.address ?? "unknown" };

/** The asker as it is kept, to send for him later: undefined for a program on this machine, empty where no address is known. */
export const keptAsker = (asker: Asker): string | undefined => (asker === "here" ? undefined : (asker.address ?? ""));

export const askerKept = (kept: string | null | undefined): Asker =>
  kept === undefined || kept === null ? "here" : { address: kept === "" ? undefined : kept };
