import { Link } from "@tanstack/react-router";
import { Landmark, ShieldCheck, Store, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { StoredOrderDetail } from "../../../../server/contract/app/payments.ts";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { Notice } from "../../../ui/dialogs/notice.tsx";
import { RelativeTime } from "../../../ui/marks/relative-time.tsx";
import { ShortId } from "../../../ui/marks/short-id.tsx";
import { TradeStateBadge } from "../trade-state-badge.tsx";
import type { SimOrderDetail } from "./use-order.ts";
import classes from "../payments.module.css";

/** The order's data, and its state at each side, which may differ for a moment. */
export function OrderHead(props: {
  merchant: StoredOrderDetail | null;
  provider: SimOrderDetail | null;
  action: ReactNode;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { merchant } = props;
  const order = props.provider?.order;
  const number = merchant?.out_trade_no ?? order?.out_trade_no ?? "";
  const fen = merchant?.amount ?? order?.total ?? 0;
  const differ = merchant && order && merchant.trade_state !== order.trade_state;
  return (
    <div className={classes.headBlock}>
      <div className={classes.headTop}>
        <span className={classes.headAmount}>{formats.money(fen)}</span>
        <span className={classes.wire}>{merchant?.trade_type ?? order?.trade_type}</span>
        <span className={classes.dim}>
          <RelativeTime iso={merchant?.created_at ?? order?.created_at ?? ""} />
        </span>
        <span className={classes.headAction}>{props.action}</span>
      </div>
      <div>{merchant?.description ?? order?.description}</div>
      <div className={classes.headLine}>
        <ShortId value={number} name="out_trade_no" />
        <Link to="/requests" search={{ flow: `order:${number}`, view: "waterfall" }}>
          {t("payments.requestsOf")}
        </Link>
      </div>
      <div className={classes.sides}>
        <Side icon={Store} name={t("payments.side.merchant")}>
          {merchant ? <TradeStateBadge state={merchant.trade_state} /> : t("payments.notKnown")}
          {merchant?.settled_at !== undefined && (
            <span className={classes.settled} title={formats.exact(merchant.settled_at)}>
              <ShieldCheck size={13} aria-hidden />
              {t("payments.settled")}
            </span>
          )}
        </Side>
        <Side icon={Landmark} name={t("payments.side.provider")}>
          {order ? <TradeStateBadge state={order.trade_state} /> : t("payments.notKnown")}
        </Side>
      </div>
      {merchant?.amount_mismatch && <Notice kind="error">{t("payments.heldText")}</Notice>}
      {differ && !merchant.amount_mismatch && <Notice kind="info">{t("payments.differ")}</Notice>}
    </div>
  );
}

function Side({ icon: Icon, name, children }: { icon: LucideIcon; name: string; children: ReactNode }) {
  return (
    <div className={classes.sideBox}>
      <span className={classes.sideName}>
        <Icon size={13} aria-hidden />
        {name}
      </span>
      <span className={classes.sideState}>{children}</span>
    </div>
  );
}
