import { useTranslation } from "react-i18next";
import type { StoredOrderDetail } from "../../../../server/contract/app/payments.ts";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { Notice } from "../../../ui/dialogs/notice.tsx";
import { leftToRefund } from "./refunds-left.ts";

/** Shows the refunded amount of an order, the amount under way, and the rest. Empty before the first refund. */
export function RefundsNote({ order, className }: { order: StoredOrderDetail; className: string | undefined }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { refunded, underWay, fen, times } = leftToRefund(order);
  if (fen === order.amount) return null;
  const amount = formats.money(order.amount);
  const failing = order.refunds.filter(({ status, err_text }) => status === "PROCESSING" && err_text !== undefined);
  return (
    <>
      <p className={className}>
        {refunded === order.amount
          ? t("payments.refundedAll", { amount })
          : fen === 0
            ? t("payments.refundedSoFar", { given: formats.money(refunded), amount })
            : t("payments.refundedPart", {
                given: formats.money(refunded),
                amount,
                left: formats.money(fen),
                count: times,
              })}
      </p>
      {underWay > 0 && <p className={className}>{t("payments.refundUnderWay", { money: formats.money(underWay) })}</p>}
      {failing.map((refund) => (
        <Notice key={refund.id} kind="error">
          {t("payments.refundFailing", {
            money: formats.money(refund.amount),
            reason: [refund.err_code, refund.err_text].filter(Boolean).join(": "),
          })}
        </Notice>
      ))}
    </>
  );
}
