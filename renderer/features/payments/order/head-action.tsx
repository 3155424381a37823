import { Button } from "@mantine/core";
import { Banknote, Undo2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { StoredOrderDetail } from "../../../../server/contract/app/payments.ts";
import { paySimOrder } from "../../../../server/contract/provider/sim-operations.ts";
import { useApi } from "../../../api/use-api.ts";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { leftToRefund } from "../controls/refunds-left.ts";
import type { ActionsLog } from "../controls/use-actions-log.ts";
import { allowsMove } from "../states/moves.ts";
import type { SimOrderDetail } from "./use-order.ts";

/** The usual next action: the buyer pays, or the merchant refunds. A finished order has none. */
export function HeadAction(props: {
  merchant: StoredOrderDetail | null;
  provider: SimOrderDetail | null;
  log: ActionsLog;
  /** Shows the controls: the form for a refund, and what came of an action. */
  onControls: () => void;
}) {
  const { t } = useTranslation();
  const { call } = useApi();
  const formats = useFormats();
  const { merchant, provider, log } = props;
  const order = provider?.order;
  if (order && allowsMove("paid", { state: order.trade_state, type: order.trade_type })) {
    const label = t("payments.payNow", { amount: formats.money(order.total) });
    const named = { params: { out_trade_no: order.out_trade_no }, query: { mch_id: order.mch_id } };
    const pay = async () => {
      const { kind } = await log.run(label, async () => ({
        kind: "state",
        state: (await call(paySimOrder, { ...named, body: {} })).trade_state,
      }));
      if (kind === "failed") props.onControls();
    };
    return (
      <Button
        variant="filled"
        leftSection={<Banknote size={14} aria-hidden />}
        loading={log.running === label}
        disabled={log.running !== undefined && log.running !== label}
        onClick={() => void pay()}
      >
        {label}
      </Button>
    );
  }
  if (!merchant || !["SUCCESS", "REFUND"].includes(merchant.trade_state) || leftToRefund(merchant).fen === 0)
    return null;
  return (
    <Button leftSection={<Undo2 size={14} aria-hidden />} onClick={props.onControls}>
      {t("payments.refundSome")}
    </Button>
  );
}
