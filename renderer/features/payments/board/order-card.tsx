import { CircleAlert, ShieldCheck } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { RelativeTime } from "../../../ui/marks/relative-time.tsx";
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
          <RelativeTime iso={row.createdAt} />
        </span>
        <Marks row={row} />
      </button>
    </li>
  );
});

/** A warning that must not be overlooked. */
function Marks({ row }: { row: ListedOrder }) {
  const { t } = useTranslation();
  if (row.held) return <Mark bad icon={CircleAlert} text={t("payments.held")} />;
  if (row.unplaced) return <Mark bad icon={CircleAlert} text={t("payments.unplaced")} />;
  if (row.failure)
    return (
      <Mark bad icon={CircleAlert} text={t("payments.failed", { reason: t(`payments.failure.${row.failure}`) })} />
    );
  return row.settled ? <Mark icon={ShieldCheck} text={t("payments.settled")} /> : null;
}

const Mark = ({ icon: Icon, text, bad = false }: { icon: typeof CircleAlert; text: string; bad?: boolean }) => (
  <span className={classes.mark} data-bad={bad}>
    <Icon size={12} aria-hidden />
    {text}
  </span>
);
