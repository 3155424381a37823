import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { SimOrder } from "../../../../server/contract/provider/sim-orders.ts";
import { useChangeSearch, usePageNavigate } from "../../../api/address/use-page-navigate.ts";
import { useFormats } from "../../../i18n/formats-context.tsx";
import type { PaymentsSearch } from "../payments-search.ts";
import { TradeStateBadge } from "../trade-state-badge.tsx";
import classes from "../products/products.module.css";

const route = getRouteApi("/payments");

/** The parts of a combined order, or the combined order of a part. */
export function CombinedParts({ order }: { order: SimOrder }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const change = useChangeSearch<PaymentsSearch>(usePageNavigate(route));
  const { combine_mch_id: mch, combine_out_trade_no: number, sub_orders: parts } = order;
  const open = (next: { mch_id: string; out_trade_no: string }) =>
    change({ order: next.out_trade_no, mch: next.mch_id });
  if (number !== undefined && mch !== undefined)
    return (
      <section aria-label={t("payments.products.combinedOf")}>
        <h3>{t("payments.products.combinedOf")}</h3>
        <button type="button" className={classes.open} onClick={() => open({ mch_id: mch, out_trade_no: number })}>
          {number}
        </button>
      </section>
    );
  if (parts === undefined) return null;
  return (
    <section aria-label={t("payments.products.combinedParts")}>
      <h3>{t("payments.products.combinedParts")}</h3>
      <ul className={classes.parts}>
        {parts.map((part) => (
          <li key={`${part.mch_id}/${part.out_trade_no}`} className={classes.part}>
            <div className={classes.partHead}>
              <TradeStateBadge state={part.trade_state} />
              <button type="button" className={classes.open} onClick={() => open(part)}>
                {part.out_trade_no}
              </button>
              <b>{formats.money(part.total)}</b>
            </div>
            <p className={classes.note}>
              {part.description} · {part.sub_mch_id ?? part.mch_id}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
