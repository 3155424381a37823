import { useTranslation } from "react-i18next";
import {
  askPasswordOfSimOrder,
  expireSimOrder,
  failSimOrder,
  paySimOrder,
} from "../../../../server/contract/provider/sim-operations.ts";
import { useApi } from "../../../api/use-api.ts";
import { ActionControl } from "./control.tsx";
import { ControlGroup } from "./control-group.tsx";
import { allowsMove } from "../states/moves.ts";
import type { ActionsLog, ActionOutcome } from "./use-actions-log.ts";
import type { SimOrderDetail } from "../order/use-order.ts";

/** The actions of the buyer and the provider. */
export function ProviderControls({ detail: { order }, log }: { detail: SimOrderDetail; log: ActionsLog }) {
  const { t } = useTranslation();
  const { call } = useApi();
  const named = { params: { out_trade_no: order.out_trade_no }, query: { mch_id: order.mch_id } };
  const stated = { state: order.trade_state, type: order.trade_type };
  const isOpen = allowsMove("paid", stated);
  const state = async (moved: Promise<{ trade_state: string }>): Promise<ActionOutcome> => ({
    kind: "state",
    state: (await moved).trade_state,
  });
  return (
    <ControlGroup title={t("payments.atProvider")} hint={t("payments.atProviderHint")}>
      <ActionControl
        label={t("payments.pay")}
        log={log}
        disabled={!isOpen}
        primary
        onRun={() => void log.run(t("payments.pay"), () => state(call(paySimOrder, { ...named, body: {} })))}
      />
      <ActionControl
        label={t("payments.userPaying")}
        log={log}
        disabled={!allowsMove("passwordAsked", stated)}
        hint={t("payments.userPayingHint")}
        onRun={() => void log.run(t("payments.userPaying"), () => state(call(askPasswordOfSimOrder, named)))}
      />
      <ActionControl
        label={t("payments.failBank")}
        log={log}
        disabled={!isOpen}
        onRun={() =>
          void log.run(t("payments.failBank"), () => state(call(failSimOrder, { ...named, body: { how: "bank" } })))
        }
      />
      <ActionControl
        label={t("payments.failCancel")}
        log={log}
        disabled={!isOpen}
        onRun={() =>
          void log.run(t("payments.failCancel"), () => state(call(failSimOrder, { ...named, body: { how: "cancel" } })))
        }
      />
      <ActionControl
        label={t("payments.expire")}
        log={log}
        disabled={order.trade_state !== "NOTPAY"}
        onRun={() => void log.run(t("payments.expire"), () => state(call(expireSimOrder, named)))}
      />
    </ControlGroup>
  );
}
