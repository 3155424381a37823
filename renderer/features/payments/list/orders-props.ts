import type { OrderFilter } from "./load-orders.ts";
import type { OrderRow } from "./order-row.ts";

/** The common properties of board and table. */
export interface OrdersProps {
  readonly filter: OrderFilter;
  /** Key of the open row. */
  readonly open: string | undefined;
  readonly onOpen: (row: OrderRow | undefined) => void;
  readonly onClearFilter: () => void;
  readonly onNew: () => void;
}
