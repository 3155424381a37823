import { Loader } from "@mantine/core";
import { ChevronRight, CircleCheck, CircleHelp, CircleX } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ReceiverCheckResult } from "../../../../server/contract/provider/checks/receiver-checks.ts";
import { rowText, type ReceiverCheckRow } from "../../../../server/contract/provider/checks/receiver-check-rows.ts";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { useWireTexts } from "../../../i18n/wire-texts.ts";
import { StatusCode } from "../../../ui/marks/status-code.tsx";
import { VerdictBadge } from "../history/verdict-badge.tsx";
import classes from "./receiver.module.css";

const icons = { pass: CircleCheck, fail: CircleX, not_judged: CircleHelp } as const;

/** A row with the receiver's result. Without a result it is running. */
export function CheckRow({ row, result }: { row: ReceiverCheckRow; result: ReceiverCheckResult | undefined }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const say = useWireTexts();
  const [open, setOpen] = useState(result?.verdict === "fail");
  const { name, sent, right, why } = rowText(row);
  if (!result)
    return (
      <li className={classes.row} data-verdict="running">
        <div className={classes.rowHead}>
          <Loader size={14} aria-hidden />
          <b>{say(name)}</b>
          <span className={classes.rowSeen}>{say(sent)}</span>
        </div>
      </li>
    );
  const Icon = icons[result.verdict];
  return (
    <li className={classes.row} data-verdict={result.verdict}>
      <button type="button" className={classes.rowHead} aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon size={15} role="img" aria-label={t(`payments.check.verdict.${result.verdict}`)} />
        <b>{say(name)}</b>
        <span className={classes.rowSeen}>{result.seen}</span>
        <span className={classes.text}>{formats.duration(result.duration_ms)}</span>
        <ChevronRight size={14} className={classes.chevron} aria-hidden />
      </button>
      {open && (
        <div className={classes.rowMore}>
          {result.failings.map((failing) => (
            <p key={failing} className={classes.failing}>
              {failing}
            </p>
          ))}
          <dl>
            <dt>{t("payments.check.sent")}</dt>
            <dd>{say(sent)}</dd>
            <dt>{t("payments.check.right")}</dt>
            <dd>{say(right)}</dd>
            <dt>{t("payments.check.seen")}</dt>
            <dd>{result.seen}</dd>
            <dt>{t("payments.check.why")}</dt>
            <dd>{say(why)}</dd>
            <dt>orderquery</dt>
            <dd>{formats.number(result.queries)}</dd>
            {result.out_trade_no !== undefined && (
              <>
                <dt>out_trade_no</dt>
                <dd>{result.out_trade_no}</dd>
              </>
            )}
          </dl>
          {result.exchanges.map(({ request, status, reply }, index) => (
            <div key={index}>
              <pre className={classes.request} tabIndex={0} role="group" aria-label={t("payments.check.asked")}>
                {request}
              </pre>
              <div className={classes.delivery}>
                <StatusCode status={status} />
                <code>{reply}</code>
              </div>
            </div>
          ))}
          {result.deliveries.map((delivery, index) => (
            <div key={index}>
              <pre className={classes.request} tabIndex={0} role="group" aria-label={t("payments.check.sent")}>
                {delivery.request}
              </pre>
              <div className={classes.delivery}>
                <StatusCode status={delivery.status} />
                <VerdictBadge verdict={delivery.verdict} />
                <code>{delivery.reply}</code>
              </div>
            </div>
          ))}
        </div>
      )}
    </li>
  );
}
