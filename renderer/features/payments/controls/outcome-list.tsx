import { CircleAlert, CircleCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { LongText } from "../../../ui/code/long-text.tsx";
import { StatusCode } from "../../../ui/marks/status-code.tsx";
import type { Delivery, LogEntry } from "./use-actions-log.ts";
import { TrustedBadge, VerdictBadge } from "../history/verdict-badge.tsx";
import classes from "./controls.module.css";

/** The results of actions, the newest first. */
export function OutcomeList({ entries }: { entries: readonly LogEntry[] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <ul className={classes.outcomes} aria-label={t("payments.outcomes")} aria-live="polite">
      {entries.map(({ id, at, label, outcome }) => (
        <li key={id} className={classes.outcome} data-bad={outcome.kind === "failed"}>
          <div className={classes.outcomeHead}>
            {outcome.kind === "failed" ? <CircleAlert size={13} aria-hidden /> : <CircleCheck size={13} aria-hidden />}
            <b>{label}</b>
            {outcome.kind === "state" && <code>{outcome.state}</code>}
            <time className={classes.dim}>{formats.clock(at)}</time>
          </div>
          {(outcome.kind === "failed" || outcome.kind === "text") && <p className={classes.text}>{outcome.text}</p>}
          {outcome.kind === "deliveries" &&
            outcome.deliveries.map((delivery, index) => <DeliveryView key={index} delivery={delivery} />)}
        </li>
      ))}
    </ul>
  );
}

/** The receiver's answer, and whether it is the right one. */
function DeliveryView({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation();
  const expected = "expected" in delivery ? delivery.expected : undefined;
  const isRight = expected === undefined || expected === "either" || (expected === "accept") === delivery.accepted;
  return (
    <div className={classes.delivery}>
      <div className={classes.deliveryHead}>
        <StatusCode status={delivery.status} />
        {delivery.verdict !== undefined && <VerdictBadge verdict={delivery.verdict} />}
        {delivery.trusted_result_code && <TrustedBadge />}
        {expected !== undefined && (
          <span className={classes.judged} data-bad={!isRight}>
            {isRight ? <CircleCheck size={12} aria-hidden /> : <CircleAlert size={12} aria-hidden />}
            {t(isRight ? "payments.receiverRight" : "payments.receiverWrong")} · {t(`payments.expected.${expected}`)}
          </span>
        )}
      </div>
      {delivery.reply !== "" && (
        <pre className={classes.reply}>
          <LongText text={delivery.reply} />
        </pre>
      )}
    </div>
  );
}
