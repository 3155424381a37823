import type { TradeState } from "../../../../server/contract/provider/payment-terms.ts";
import { QueryFailure } from "../../../ui/dialogs/query-failure.tsx";
import { Board } from "./board.tsx";
import type { OrdersProps } from "../list/orders-props.ts";
import { PaymentsEmpty } from "../payments-empty.tsx";
import { useBoard } from "../list/use-orders.ts";

export function BoardView(props: OrdersProps & { onShowAll: (state: TradeState) => void }) {
  const { filter, open } = props;
  const board = useBoard(filter);
  const { data } = board;
  const isEmpty = data?.every(({ rows }) => rows.length === 0) ?? false;
  return (
    <>
      <QueryFailure query={board} />
      {isEmpty ? (
        <PaymentsEmpty filtered={props.isFiltered} onClear={props.onClearFilter} onNew={props.onNew} />
      ) : (
        data && <Board columns={data} open={open} onOpen={props.onOpen} onShowAll={props.onShowAll} />
      )}
    </>
  );
}
