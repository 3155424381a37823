import type { FaultMark } from "../../../contract/fault-mark.ts";

/** A fault that hit a call or a delivery. */
export interface FaultRef {
  readonly id: number;
  readonly kind: string;
}

/** The mark of a fault on what it hit. */
export const faultMarkOf = ({ id, kind }: FaultRef): FaultMark => ({ key: `sim-${String(id)}`, kind });
