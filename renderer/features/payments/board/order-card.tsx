import { memo } from "react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { RelativeTime } from "../../../ui/marks/relative-time.tsx";
import { BuyerName } from "../list/buyer-name.tsx";
import { markOf } from "../list/order-mark.ts";
import type { ListedOrder } from "../list/order-row.ts";
import classes from "./board.module.css";

/** An order on the board. */
export const OrderCard = memo(function OrderCard(props: {
  row: ListedOrder;
  isOpen: boolean;
  onOpen: (row: ListedOrder) => void;
}) {
  const formats = useFormats();
  const { row, isOpen } = props;
  return (
    <li>
      <button
        type="button"
        className={classes.card}
        aria-pressed={isOpen}
        data-order={row.outTradeNo}
        onClick={() => props.onOpen(row)}
      >
        <span className={classes.cardTop}>
          <span className={classes.amount}>{formats.money(row.amount)}</span>
          <span className={classes.wire}>{row.type}</span>
        </span>
        <span className={classes.description} title={row.description}>
          {row.description}
        </span>
        <span className={classes.cardFoot}>
          <span className={classes.wire} title={row.outTradeNo}>
            …{row.outTradeNo.slice(-8)}
          </span>
          <BuyerName row={row} className={classes.buyer} />
          <RelativeTime iso={row.createdAt} />
        </span>
        <Mark row={row} />
      </button>
    </li>
  );
});

function Mark({ row }: { row: ListedOrder }) {
  const { t } = useTranslation();
  const mark = markOf(row, t);
  if (!mark) return null;
  const { icon: Icon, text, hint, isBad } = mark;
  return (
    <span className={classes.mark} data-bad={isBad} title={hint}>
      <Icon size={12} aria-hidden />
      {text}
    </span>
  );
}
