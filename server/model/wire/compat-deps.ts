import type { Log } from "../../process/log.ts";
import type { Resolve } from "../chat-completion.ts";

/** The dependencies of the routes of other families. */
export interface CompatDeps {
  readonly resolve: Resolve;
  readonly log: Log;
  /** The id of the key by which the running request was admitted, if it needed one. */
  readonly keyOfCaller: () => string | undefined;
}
