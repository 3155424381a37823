import { useTranslation } from "react-i18next";
import type { StoredOrderDetail } from "../../../../server/contract/app/payments.ts";
import { MerchantControls } from "./merchant-controls.tsx";
import { ProviderControls } from "./provider-controls.tsx";
import { RefundControls } from "./refund-controls.tsx";
import { SendControls } from "./send-controls.tsx";
import { OutcomeList } from "./outcome-list.tsx";
import type { ActionsLog } from "./use-actions-log.ts";
import type { SimOrderDetail } from "../order/use-order.ts";
import classes from "./controls.module.css";

/** All actions on an order, grouped by side, and their results. */
export function ControlsTab(props: {
  merchant: StoredOrderDetail | null;
  provider: SimOrderDetail | null;
  log: ActionsLog;
}) {
  const { t } = useTranslation();
  const { merchant, provider, log } = props;
  return (
    <div className={classes.controls}>
      <OutcomeList entries={log.entries} />
      {provider && <ProviderControls detail={provider} log={log} />}
      {merchant && <MerchantControls order={merchant} log={log} />}
      {provider && provider.refunds.length > 0 && <RefundControls refunds={provider.refunds} log={log} />}
      {provider && <SendControls detail={provider} log={log} />}
      {!provider && <p className={classes.text}>{t("payments.providerOnly")}</p>}
    </div>
  );
}
