import { Button } from "@mantine/core";
import { RotateCw } from "lucide-react";
import { useEffect, useMemo, useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
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
  /** By which the turns, and the one that is next, are told apart. */
  keys: readonly number[];
  streaming: boolean;
  /** The reason why the running answer waits. */
  wait: Wait | undefined;
  model: string | undefined;
  error: string | undefined;
  empty: ReactNode;
  /** Goes on after this many turns by a new question, in another branch; absent while none can be asked. */
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
  const scroller = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const last = turns.at(-1);
  const onAsk = streaming ? undefined : props.onAsk;
  const answered = turns.findLastIndex(({ role }) => role !== "assistant") + 1;

  useEffect(() => {
    // The view always follows a new question, but an answer only while the reader stays at its end.
    if (asked.at(-1)?.role === "user") following.current = true;
    const box = scroller.current;
    if (box && following.current) box.scrollTop = box.scrollHeight;
  }, [asked, turns, streaming, error]);

  useEffect(() => {
    // Code and tables get their size a moment after the text.
    const content = scroller.current?.lastElementChild;
    if (!content) return;
    const observer = new ResizeObserver(() => {
      const box = scroller.current;
      if (box && following.current) box.scrollTop = box.scrollHeight;
    });
    observer.observe(content);
    return () => observer.disconnect();
  }, []);

  return (
    <div
      ref={scroller}
      className={classes.scroller}
      role="log"
      aria-label={t("chat.conversation")}
      aria-busy={streaming}
      tabIndex={0}
      onScroll={({ currentTarget: box }) => {
        following.current = box.scrollHeight - box.scrollTop - box.clientHeight < followPx;
      }}
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
              onAnswer={
                onAsk && isLast && answered > 0 && (turn.role === "assistant" || error === undefined)
                  ? () => onAsk(answered, [])
                  : undefined
              }
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
        {error !== undefined && (
          <Notice
            kind="error"
            action={
              onAsk &&
              answered > 0 && (
                <Button
                  size="compact-xs"
                  leftSection={<RotateCw size={12} aria-hidden />}
                  onClick={() => onAsk(answered, [])}
                >
                  {t("failure.tryAgain")}
                </Button>
              )
            }
          >
            {error}
          </Notice>
        )}
      </div>
    </div>
  );
}
