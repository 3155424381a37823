import {
  ChevronRight,
  CircleAlert,
  Gavel,
  Hourglass,
  Landmark,
  MessageSquareReply,
  Send,
  Store,
  Bell,
  type LucideIcon,
} from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { useWireTexts } from "../../../i18n/wire-texts.ts";
import { FaultBadges } from "../../../ui/marks/fault-badges.tsx";
import { StatusCode } from "../../../ui/marks/status-code.tsx";
import { RawMessageView } from "./message-view.tsx";
import type { HistoryItem, Words } from "./order-history.ts";
import { TrustedBadge, VerdictBadge } from "./verdict-badge.tsx";
import classes from "./history.module.css";

const icons: Readonly<Record<HistoryItem["kind"], LucideIcon>> = {
  call: Send,
  reply: MessageSquareReply,
  notification: Bell,
  decision: Gavel,
  served: Landmark,
  attempt: Bell,
  waiting: Hourglass,
  ordered: Landmark,
  failed: CircleAlert,
  paid: Landmark,
  refund: Landmark,
  ended: Landmark,
};

/** The history of an order, the oldest first; each entry opens its message on the wire. */
export function HistoryList({ items }: { items: readonly HistoryItem[] }) {
  const { t } = useTranslation();
  return (
    <ol className={classes.list} aria-label={t("payments.history")}>
      {items.map((item) => (
        <Item key={item.key} item={item} />
      ))}
    </ol>
  );
}

function Item({ item }: { item: HistoryItem }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const say = useWireTexts();
  const [open, setOpen] = useState(false);
  const Icon = icons[item.kind];
  const canOpen = item.request !== undefined;
  const SideIcon = item.side === "merchant" ? Store : Landmark;
  const head = (
    <>
      <time
        className={classes.time}
        dateTime={new Date(item.at).toISOString()}
        title={formats.exact(new Date(item.at).toISOString())}
      >
        {formats.instant(item.at)}
      </time>
      <span className={classes.side} title={t(`payments.side.${item.side}`)}>
        <SideIcon size={13} role="img" aria-label={t(`payments.side.${item.side}`)} />
      </span>
      <span className={classes.what}>
        <Icon size={13} aria-hidden />
        <span>{t(`payments.kind.${item.kind}`)}</span>
        <code>{item.name}</code>
        {item.kind === "attempt" && item.times !== undefined && item.times > 1 && (
          <span className={classes.dim}>{t("payments.attempt", { count: item.times })}</span>
        )}
      </span>
      {canOpen && <ChevronRight size={14} className={classes.chevron} aria-hidden />}
    </>
  );
  return (
    <li className={classes.item} data-side={item.side}>
      {canOpen ? (
        <button type="button" className={classes.head} aria-expanded={open} onClick={() => setOpen(!open)}>
          {head}
        </button>
      ) : (
        <div className={classes.head}>{head}</div>
      )}
      <div className={classes.more}>
        <WordList item={item} />
        {item.text !== undefined && <p className={classes.text}>{item.text}</p>}
        {item.trusted && <p className={classes.text}>{t("payments.trustedMeans")}</p>}
        {item.refusal !== undefined && <p className={classes.text}>{say(item.refusal)}</p>}
        {open && (
          <>
            {item.request && <RawMessageView message={item.request} name={t("payments.request")} />}
            {item.reply && <RawMessageView message={item.reply} name={t("payments.reply")} />}
          </>
        )}
      </div>
    </li>
  );
}

const visibleWords = ["return_code", "result_code", "trade_state", "err_code"] as const satisfies (keyof Words)[];

/** The words of a message, each with its name, because they have different meanings. */
function WordList({ item }: { item: HistoryItem }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { words, verdict, status, outcome, times, durationMs, next, performed, faults } = item;
  const repeated = item.kind !== "attempt" && times !== undefined && times > 1;
  return (
    <div className={classes.words}>
      {status !== undefined && <StatusCode status={status} />}
      {verdict !== undefined && <VerdictBadge verdict={verdict} />}
      {item.trusted && <TrustedBadge />}
      {visibleWords.map((name) => {
        const word = words[name];
        return (
          word !== undefined && (
            <span key={name} className={classes.word} data-word={name} title={t(`payments.word.${name}`)}>
              <span>{name}</span>
              <b>{word}</b>
            </span>
          )
        );
      })}
      {outcome !== undefined && outcome !== "" && <code className={classes.outcome}>{outcome}</code>}
      {repeated && <span className={classes.dim}>{t("payments.times", { count: times })}</span>}
      <FaultBadges faults={faults} />
      {performed !== undefined && (
        <span className={classes.dim}>{t(performed ? "payments.performed" : "payments.notPerformed")}</span>
      )}
      {next !== undefined && (
        <span className={classes.dim}>
          {next === "given_up"
            ? t("payments.givenUp")
            : t(item.kind === "waiting" ? "payments.sentAt" : "payments.sentAgain", { time: formats.moment(next) })}
        </span>
      )}
      {durationMs !== undefined && <span className={classes.dim}>{formats.duration(durationMs)}</span>}
    </div>
  );
}
