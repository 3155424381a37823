/** The one form of all products in the console: a table of entries, each with a panel. */
import type { SimOfOrder } from "../../../../server/contract/provider/sim-orders.ts";
import type { ShipmentState } from "./shipment-states.ts";
import type { Call } from "../../../api/http/call.ts";

/** A line below an entry: a receiver, a package, a message, a delivery. */
export interface ProductPart {
  readonly at?: string;
  readonly state?: string;
  readonly text: string;
  readonly note?: string | undefined;
  readonly fen?: number;
}

export interface ProductAction {
  readonly name:
    | "finishShare"
    | "confirmTransfer"
    | "failTransfer"
    | "confirmReceipt"
    | "signContract"
    | "refuseContract"
    | "endContract"
    | "replay";
  /** Resolves to the state that follows. */
  readonly run: (call: Call) => Promise<string>;
}

export interface ProductEntry {
  /** Identifies it in the address. */
  readonly key: string;
  readonly at: string | undefined;
  /** Word on the wire. */
  readonly state: string;
  /** Text for a state that is a number on the wire. */
  readonly stateText?: ShipmentState;
  readonly number: string;
  readonly mchId?: string;
  readonly openid?: string;
  readonly fen?: number;
  /** The number of its order. */
  readonly order?: string;
  readonly parts: readonly ProductPart[];
  /** The possible ones; the usual one first. */
  readonly actions: readonly ProductAction[];
  /** The reply of the simulator. */
  readonly item: Readonly<Record<string, unknown>>;
}

export interface Product {
  /** The member with the number of an entry. */
  readonly numberField: string;
  /** Columns without values: events have no merchant, contracts no amount. */
  readonly without?: readonly string[];
  /** States that the simulator's clock ends. */
  readonly waits: readonly string[];
  /** Newest first. `of` is ignored by products without orders. */
  readonly load: (call: Call, of: SimOfOrder, signal: AbortSignal) => Promise<ProductEntry[]>;
  /** The call that makes the first entry appear. @param provider the address of the simulator */
  readonly example: (provider: string) => string;
}
