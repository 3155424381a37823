import type { ListedOrderFilter } from "./load-orders.ts";
import type { ListedOrder } from "./order-row.ts";

/** The common properties of board and table. */
export interface OrdersProps {
  readonly filter: ListedOrderFilter;
  readonly isFiltered: boolean;
  /** Key of the open row. */
  readonly open: string | undefined;
  readonly onOpen: (row: ListedOrder | undefined) => void;
  readonly onClearFilter: () => void;
  readonly onNew: () => void;
}
