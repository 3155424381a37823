import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { SimOrder } from "../../../../server/contract/provider/sim-orders.ts";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { TradeStateBadge } from "../trade-state-badge.tsx";
import classes from "../payments.module.css";

/** The orders that a combined order pays, or the combined order that pays this one; nothing for other orders. */
export function CombinedOrders({ order }: { order: SimOrder }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { combine_mch_id, combine_out_trade_no, sub_orders } = order;
  if (combine_out_trade_no !== undefined)
    return (
      <p className={classes.headLine}>
        {t("payments.partOf")}
        <OrderLink number={combine_out_trade_no} mchId={combine_mch_id} />
      </p>
    );
  if (!sub_orders) return null;
  return (
    <section className={classes.record} aria-label={t("payments.parts")}>
      <h3>{t("payments.parts")}</h3>
      <ul>
        {sub_orders.map((part) => (
          <li key={`${part.mch_id} ${part.out_trade_no}`} className={classes.headLine}>
            <OrderLink number={part.out_trade_no} mchId={part.mch_id} />
            {part.description}
            {formats.money(part.total)}
            <TradeStateBadge state={part.trade_state} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const OrderLink = ({ number, mchId }: { number: string; mchId: string | undefined }) => (
  <Link to="/payments" search={{ side: "provider", order: number, mch: mchId }}>
    {number}
  </Link>
);
