import type { Draw } from "./draw.ts";
import type { Ledger } from "./traffic.ts";
import type { World } from "./world.ts";

/** What not every machine has. */
type Need = "a disk of its own" | "libfaketime" | "prlimit";

export interface Fault {
  /** Words of the table. */
  readonly name: string;
  readonly isKill?: boolean;
  readonly needs?: Need;
  /** Does harm beside the traffic, and ends it: from then on the time counts until all answer. */
  readonly happen: (world: World, draw: Draw, ledger: Ledger) => Promise<void>;
}
