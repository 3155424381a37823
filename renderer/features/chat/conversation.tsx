import { Button } from "@mantine/core";
import { RotateCw } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "../../ui/notice.tsx";
import type { Chat } from "./chat-session.ts";
import { TurnView } from "./turn-view.tsx";
import classes from "./chat.module.css";

/** How near to the end the reader has to be for the text to be followed. */
const followPx = 60;

export function Conversation(props: { chat: Chat; empty: ReactNode; onRetry: (() => void) | undefined }) {
  const { t } = useTranslation();
  const { turns, streaming, error } = props.chat;
  const scroller = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const last = turns.at(-1);

  useEffect(() => {
    // A new question is always followed; an answer only while the reader stays at its end.
    if (last?.role === "user") following.current = true;
    const box = scroller.current;
    if (box && following.current) box.scrollTop = box.scrollHeight;
  }, [turns, last, streaming, error]);

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
        {turns.map((turn, index) => (
          <TurnView key={index} turn={turn} streaming={streaming && index === turns.length - 1} />
        ))}
        {streaming && last?.role === "user" && <p className={classes.waiting}>{t("chat.thinking")}</p>}
        {error !== undefined && (
          <Notice kind="error">
            <div className={classes.failure}>
              {error}
              {props.onRetry && (
                <Button size="compact-xs" leftSection={<RotateCw size={12} aria-hidden />} onClick={props.onRetry}>
                  {t("chat.retry")}
                </Button>
              )}
            </div>
          </Notice>
        )}
      </div>
    </div>
  );
}
