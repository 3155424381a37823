import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  closeStoredOrder,
  queryStoredOrder,
  refundStoredOrder,
  reverseStoredOrder,
} from "../../../../server/contract/console/stored-order-endpoints.ts";
import type { StoredOrderDetail } from "../../../../server/contract/app/payments.ts";
import { useApi } from "../../../api/use-api.ts";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { useConfirm } from "../../../ui/dialogs/confirm.tsx";
import { AmountField } from "../amount-field.tsx";
import { ControlGroup } from "./control-group.tsx";
import { ActionControl } from "./control.tsx";
import { RefundsNote } from "./refunds-note.tsx";
import { leftToRefund } from "./refunds-left.ts";
import type { ActionsLog, ActionOutcome } from "./use-actions-log.ts";
import classes from "./controls.module.css";

const openStates = ["NOTPAY", "USERPAYING"];
const paidStates = ["SUCCESS", "REFUND"];

/** The actions of Hearth, the merchant, on its own order. */
export function MerchantControls({ order, log }: { order: StoredOrderDetail; log: ActionsLog }) {
  const { t } = useTranslation();
  const { call } = useApi();
  const confirm = useConfirm();
  const params = { id: order.id };
  const isByCode = order.trade_type === "MICROPAY";
  const run = (label: string, act: () => Promise<StoredOrderDetail>) =>
    void log.run(label, async (): Promise<ActionOutcome> => ({ kind: "state", state: (await act()).trade_state }));
  const lift = async () => {
    const title = t("payments.lift");
    if (await confirm({ title, text: t("payments.liftAsk"), action: t("payments.lift") }))
      run(title, () => call(queryStoredOrder, { params, body: { lift_mismatch: true } }));
  };
  return (
    <ControlGroup title={t("payments.atMerchant")} hint={t("payments.atMerchantHint")}>
      <ActionControl
        label={t("payments.query")}
        log={log}
        onRun={() => run(t("payments.query"), () => call(queryStoredOrder, { params, body: {} }))}
      />
      {isByCode ? (
        <ActionControl
          label={t("payments.reverse")}
          log={log}
          disabled={["REVOKED", "CLOSED", "REFUND"].includes(order.trade_state)}
          onRun={() => run(t("payments.reverse"), () => call(reverseStoredOrder, { params }))}
        />
      ) : (
        <ActionControl
          label={t("payments.close")}
          log={log}
          disabled={!openStates.includes(order.trade_state)}
          onRun={() => run(t("payments.close"), () => call(closeStoredOrder, { params }))}
        />
      )}
      {order.amount_mismatch && <ActionControl label={t("payments.lift")} log={log} onRun={() => void lift()} />}
      {paidStates.includes(order.trade_state) && <RefundField order={order} log={log} />}
    </ControlGroup>
  );
}

function RefundField({ order, log }: { order: StoredOrderDetail; log: ActionsLog }) {
  const { t } = useTranslation();
  const { call } = useApi();
  const formats = useFormats();
  const [fen, setFen] = useState<number>();
  const { fen: left } = leftToRefund(order);
  const refund = () =>
    void log.run(t("payments.refund"), async (): Promise<ActionOutcome> => {
      const body = fen === undefined ? {} : { amount: fen };
      const { refunds } = await call(refundStoredOrder, { params: { id: order.id }, body });
      return { kind: "state", state: refunds.at(-1)?.status ?? "" };
    });
  return (
    <>
      <div className={classes.refund}>
        <AmountField
          label={t("payments.refundAmount")}
          placeholder={t("payments.refundAll", { money: formats.money(left) })}
          fen={fen}
          most={left}
          disabled={left === 0}
          onChange={setFen}
        />
        <ActionControl label={t("payments.refund")} log={log} disabled={left === 0} onRun={refund} />
      </div>
      <RefundsNote order={order} className={classes.text} />
    </>
  );
}
