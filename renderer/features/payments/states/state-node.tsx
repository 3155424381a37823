import { Handle, Position, type NodeProps } from "@xyflow/react";
import type { TradeState } from "../../../../server/contract/provider/payment-terms.ts";
import { stateStyles } from "../trade-state-badge.tsx";
import classes from "./states.module.css";

/** A state in the diagram. */
export function StateNode({ data }: NodeProps) {
  const { state, isCurrent, isReachable } = data as { state: TradeState; isCurrent: boolean; isReachable: boolean };
  const { icon: Icon, tone } = stateStyles[state];
  return (
    <div className={classes.node} data-current={isCurrent} data-reachable={isReachable} data-tone={tone}>
      <Handle type="target" position={Position.Top} className={classes.handle ?? ""} />
      <Icon size={13} aria-hidden />
      {state}
      <Handle type="source" position={Position.Bottom} className={classes.handle ?? ""} />
    </div>
  );
}
