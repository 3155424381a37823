import { MarkerType, Position, ReactFlow, type Edge, type Node } from "@xyflow/react";
import "@xyflow/react/dist/base.css";
import { useMemo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { TradeState, TradeType } from "../../../../server/contract/provider/payment-terms.ts";
import { happensTo } from "../../../../server/contract/provider/trade-state-moves.ts";
import { BorderEdge } from "./border-edge.tsx";
import { moves, movesFrom, reachable } from "./moves.ts";
import { StateNode } from "./state-node.tsx";
import { TradeStateBadge } from "../trade-state-badge.tsx";
import classes from "./states.module.css";

/** The position of each state, in pixels; early states are at the top. */
const places: Readonly<Record<TradeState, { x: number; y: number }>> = {
  NOTPAY: { x: 140, y: 0 },
  USERPAYING: { x: 0, y: 96 },
  CLOSED: { x: 290, y: 96 },
  PAYERROR: { x: 0, y: 196 },
  SUCCESS: { x: 150, y: 196 },
  REVOKED: { x: 60, y: 296 },
  REFUND: { x: 240, y: 296 },
};
const states = Object.keys(places) as TradeState[];
const nodeTypes = { state: StateNode };
const edgeTypes = { border: BorderEdge };

/** The states of an order and the transitions between them, with its current state and the possible next ones. */
export function StatesTab(props: {
  state: TradeState;
  type: TradeType;
  /** The possible next step in a final state. */
  note: ReactNode;
}) {
  const { state, type } = props;
  const { t } = useTranslation();
  const allowed = movesFrom({ state, type });
  const { nodes, edges } = useMemo(() => drawing(state, type), [state, type]);
  return (
    <div className={classes.tab}>
      <div className={classes.diagram} role="img" aria-label={t("payments.diagram", { state })}>
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          fitView
          fitViewOptions={{ padding: 0.04, maxZoom: 1.1 }}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          panOnDrag={false}
          panOnScroll={false}
          zoomOnScroll={false}
          zoomOnPinch={false}
          zoomOnDoubleClick={false}
          preventScrolling={false}
          disableKeyboardA11y
          proOptions={{ hideAttribution: true }}
        />
      </div>
      <section aria-label={t("payments.allowedNow")}>
        <h3>{t("payments.allowedNow")}</h3>
        {allowed.length === 0 ? (
          <>
            <p className={classes.none}>{t("payments.allowedNone", { state })}</p>
            {props.note}
          </>
        ) : (
          <ul className={classes.list}>
            {allowed.map(({ event, to }) => (
              <li key={event}>
                <TradeStateBadge state={to} /> {t(`payments.event.${event}`)}
              </li>
            ))}
          </ul>
        )}
        {type !== "MICROPAY" && <p className={classes.none}>{t("payments.neverOf", { type })}</p>}
      </section>
    </div>
  );
}

function drawing(current: TradeState, type: TradeType): { nodes: Node[]; edges: Edge[] } {
  const known = reachable(type);
  const nodes = states.map((state) => ({
    id: state,
    type: "state",
    position: places[state],
    data: { state, isCurrent: state === current, isReachable: known.has(state) },
    sourcePosition: Position.Bottom,
    targetPosition: Position.Top,
  }));
  const edges = moves.map((move) => {
    const kind =
      !happensTo(move, type) || !known.has(move.from) ? "never" : move.from === current ? "allowed" : "later";
    return {
      id: `${move.event}-${move.from}`,
      source: move.from,
      target: move.to,
      type: "border",
      className: classes[kind] ?? "",
      zIndex: kind === "allowed" ? 2 : 0,
      markerEnd: { type: MarkerType.ArrowClosed, color: colors[kind], width: 16, height: 16 },
    };
  });
  return { nodes, edges };
}

const colors = {
  allowed: "var(--hearth-accent)",
  later: "var(--mantine-color-gray-5)",
  never: "var(--hearth-border)",
} as const;
