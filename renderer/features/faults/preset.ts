/** Faults that one click arms. */
import { faultInputSchema } from "../../../server/contract/console/control/control.ts";
import { simFaultInputSchema } from "../../../server/contract/provider/sim-faults.ts";
import type { FaultSequence } from "./questions/sequence.ts";
import type { FaultOrigin } from "./fault-row.ts";
import type { NewFault } from "./fault-calls.ts";

export interface Preset<Name extends string = string> {
  /** Its text: `faults.presets.<name>`. */
  readonly name: Name;
  readonly fault: NewFault;
}

/** A question as it is written down: the names of its texts are not known yet. */
export interface QuestionParts {
  readonly id: string;
  readonly origin: FaultOrigin;
  readonly sequence: FaultSequence;
  readonly presets: readonly [Preset, ...Preset[]];
}

/** A fault of the provider's simulator. */
export const sim = (kind: string, params: object = {}, more: object = {}): NewFault => ({
  side: "sim",
  body: simFaultInputSchema.parse({ kind, params, ...more }),
});

/** A fault of the application server's routes. */
export const routeFault = (body: object): NewFault => ({
  side: "route",
  body: faultInputSchema.parse({ path: "/api/**", ...body }),
});
