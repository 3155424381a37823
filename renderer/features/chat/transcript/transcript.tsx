import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { RotateCw } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, type ReactNode, type UIEvent } from "react";
import { useTranslation } from "react-i18next";
import { commandToAddEngine } from "../../../../server/contract/model/missing-engine.ts";
import { Notice } from "../../../ui/dialogs/notice.tsx";
import type { Versions } from "./branch-switch.tsx";
import type { Turn } from "../conversations/conversation.ts";
import { ToolResults } from "./tool-results.tsx";
import { TurnView } from "./turn-view.tsx";
import type { Wait } from "../conversations/wait.ts";
import classes from "../chat.module.css";

/** The distance from the end, within which the view follows the text. */
const followPx = 60;

export function Transcript(props: {
  turns: readonly Turn[];
  /** The keys of the turns, and of the next one. */
  keys: readonly number[];
  streaming: boolean;
  /** The reason why the running answer waits. */
  wait: Wait | undefined;
  model: string | undefined;
  error: string | undefined;
  empty: ReactNode;
  /** Adds turns after this many turns, in another branch; absent while no question can be sent. */
  onAsk: ((after: number, newTurns: readonly Turn[]) => void) | undefined;
  /** The versions of a shown turn, if there are several. */
  versionsAt: (position: number) => Versions | undefined;
}) {
  const { t } = useTranslation();
  const { keys, streaming, wait, error, model } = props;
  const asked = props.turns;
  const waits = wait !== undefined;
  // The answer has its place before its first word, so that nothing moves.
  const turns = useMemo(
    (): readonly Turn[] =>
      waits ? [...asked, { role: "assistant", content: "", ...(model !== undefined && { model }) }] : asked,
    [asked, waits, model],
  );
  const { scroller, onScroll } = useFollow([asked, turns, streaming, error], asked.at(-1)?.role === "user");
  const last = turns.at(-1);
  const onAsk = streaming ? undefined : props.onAsk;
  const answered = turns.findLastIndex(({ role }) => role !== "assistant") + 1;
  const answerAgain = onAsk && answered > 0 ? () => onAsk(answered, []) : undefined;

  return (
    <div
      ref={scroller}
      className={classes.scroller}
      role="log"
      aria-label={t("chat.conversation")}
      aria-busy={streaming}
      tabIndex={0}
      onScroll={onScroll}
    >
      {turns.length === 0 && props.empty}
      <div className={classes.turns}>
        {turns.map((turn, index) => {
          const isLast = index === turns.length - 1;
          return (
            <TurnView
              // By its place, so that the buttons that step through its versions keep the focus.
              key={index}
              id={keys[index]}
              turn={turn}
              streaming={streaming && isLast}
              wait={isLast ? wait : undefined}
              versions={streaming ? undefined : props.versionsAt(index)}
              onEdit={
                onAsk && turn.role === "user" ? (content) => onAsk(index, [{ role: "user", content }]) : undefined
              }
              onAnswer={isLast && (turn.role === "assistant" || error === undefined) ? answerAgain : undefined}
              onSuggestion={onAsk && isLast ? (content) => onAsk(turns.length, [{ role: "user", content }]) : undefined}
            />
          );
        })}
        {onAsk && last?.calls && (
          <ToolResults
            key={keys[turns.length - 1]}
            calls={last.calls}
            onSend={(results) => onAsk(turns.length, results)}
          />
        )}
        {error !== undefined && <AnswerError error={error} onRetry={answerAgain} />}
      </div>
    </div>
  );
}

function AnswerError({ error, onRetry }: { error: string; onRetry: (() => void) | undefined }) {
  const { t } = useTranslation();
  const command = commandToAddEngine(error);
  const retry = onRetry && (
    <Button size="compact-xs" leftSection={<RotateCw size={12} aria-hidden />} onClick={onRetry}>
      {t("failure.tryAgain")}
    </Button>
  );
  return (
    <Notice kind="error" action={retry}>
      {command === undefined ? error : t("chat.engineMissing", { command })}{" "}
      <Link to="/models" className={classes.link}>
        {t("chat.toModels")}
      </Link>
    </Notice>
  );
}

/** Scrolls to a new question, and with an answer while the reader stays at its end. Runs on each change of `content`. */
function useFollow(content: readonly unknown[], isQuestion: boolean) {
  const scroller = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const follow = useCallback(() => {
    const box = scroller.current;
    if (box && following.current) box.scrollTop = box.scrollHeight;
  }, []);
  useEffect(() => {
    if (isQuestion) following.current = true;
    follow();
    // oxlint-disable-next-line react/exhaustive-deps -- the caller lists the content
  }, content);
  useEffect(() => {
    // Code and tables get their size a moment after the text.
    const text = scroller.current?.lastElementChild;
    if (!text) return;
    const observer = new ResizeObserver(follow);
    observer.observe(text);
    return () => observer.disconnect();
  }, [follow]);
  const onScroll = ({ currentTarget: box }: UIEvent<HTMLDivElement>) => {
    following.current = box.scrollHeight - box.scrollTop - box.clientHeight < followPx;
  };
  return { scroller, onScroll };
}
