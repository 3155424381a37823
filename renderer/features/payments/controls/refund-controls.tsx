import { useTranslation } from "react-i18next";
import { finishSimRefund } from "../../../../server/contract/provider/sim-operations.ts";
import { useApi } from "../../../api/use-api.ts";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { ShortId } from "../../../ui/marks/short-id.tsx";
import { ActionControl } from "./control.tsx";
import { RefundStatusBadge } from "../trade-state-badge.tsx";
import type { ActionsLog } from "./use-actions-log.ts";
import type { SimOrderDetail } from "../order/use-order.ts";
import classes from "./controls.module.css";

const ends = ["SUCCESS", "ABNORMAL", "CLOSED"] as const;

/** The provider's refunds; a pending one can be ended at once. */
export function RefundControls({ refunds, log }: { refunds: SimOrderDetail["refunds"]; log: ActionsLog }) {
  const { t } = useTranslation();
  const { call } = useApi();
  const formats = useFormats();
  return (
    <section className={classes.group} aria-label={t("payments.refunds")}>
      <h3>{t("payments.refunds")}</h3>
      {refunds.map((refund) => (
        <div key={refund.refund_id} className={classes.refundRow}>
          <RefundStatusBadge status={refund.status} />
          <b>{formats.money(refund.refund)}</b>
          <ShortId value={refund.out_refund_no} name="out_refund_no" />
          {refund.status === "PROCESSING" &&
            ends.map((status) => {
              const label = t("payments.finish", { status });
              const act = () => call(finishSimRefund, { params: { refund_id: refund.refund_id }, body: { status } });
              return (
                <ActionControl
                  key={status}
                  label={label}
                  log={log}
                  onRun={() => void log.run(label, async () => ({ kind: "state", state: (await act()).status }))}
                />
              );
            })}
        </div>
      ))}
    </section>
  );
}
