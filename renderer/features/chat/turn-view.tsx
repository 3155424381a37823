import { useTranslation } from "react-i18next";
import { useFormats } from "../../i18n/formats-context.tsx";
import type { Turn } from "./chat-session.ts";
import classes from "./chat.module.css";

/** One message: a question, or an answer with what it cost. */
export function TurnView({ turn, streaming }: { turn: Turn; streaming: boolean }) {
  const { t } = useTranslation();
  const author = turn.role === "user" ? t("chat.you") : (turn.model ?? t("chat.model"));
  return (
    <article className={classes.turn} data-role={turn.role} data-streaming={streaming} aria-label={author}>
      <h2 className={classes.author}>{author}</h2>
      <div className={classes.text}>{turn.content}</div>
      <TurnNotes turn={turn} />
    </article>
  );
}

function TurnNotes({ turn }: { turn: Turn }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { metrics, ended } = turn;
  const notes = [
    ...(ended === undefined ? [] : [t(ended === "stopped" ? "chat.stopped" : "chat.cutOff")]),
    ...(metrics
      ? [
          t("chat.tokens", { count: metrics.tokens }),
          t("chat.speed", { rate: formats.number(metrics.tokensPerSecond, 1) }),
          t("chat.firstToken", { seconds: formats.duration(metrics.firstTokenMs) }),
        ]
      : []),
  ];
  return notes.length > 0 && <p className={classes.notes}>{notes.join(" · ")}</p>;
}
