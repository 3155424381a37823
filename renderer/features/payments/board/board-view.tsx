import { useTranslation } from "react-i18next";
import type { TradeState } from "../../../../server/contract/provider/payment-terms.ts";
import { Notice } from "../../../ui/dialogs/notice.tsx";
import { Board } from "./board.tsx";
import type { OrdersProps } from "../list/orders-props.ts";
import { PaymentsEmpty } from "../payments-empty.tsx";
import { useBoard } from "../list/use-orders.ts";

export function BoardView(props: OrdersProps & { onShowAll: (state: TradeState) => void }) {
  const { t } = useTranslation();
  const { filter, open } = props;
  const { data, error } = useBoard(filter);
  const isEmpty = data?.every(({ rows }) => rows.length === 0) ?? false;
  const isFiltered = filter.q !== undefined || filter.held;
  return (
    <>
      {error && <Notice kind="error">{t("failure.withReason", { reason: error.message })}</Notice>}
      {isEmpty ? (
        <PaymentsEmpty filtered={isFiltered} onClear={props.onClearFilter} onNew={props.onNew} />
      ) : (
        data && <Board columns={data} open={open} onOpen={props.onOpen} onShowAll={props.onShowAll} />
      )}
    </>
  );
}
