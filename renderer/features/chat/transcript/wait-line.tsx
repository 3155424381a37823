import { Progress } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { useTicking } from "../../../ui/marks/ticker.ts";
import type { Wait } from "../conversations/wait.ts";
import classes from "../chat.module.css";

const noticeableMs = 1_000;

/** The first line of an answer until its text comes: the reason of the wait, and its duration. */
export function WaitLine({ wait }: { wait: Wait }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const elapsed = useTicking((now) => {
    const seconds = Math.floor((now - wait.since) / 1_000) * 1_000;
    return seconds < noticeableMs ? "" : formats.duration(seconds);
  });
  const part = partOf(wait);
  const text =
    wait.for === "model"
      ? t("chat.wait.model")
      : wait.for === "loading"
        ? t("chat.wait.loading", { percent: formats.number(Math.floor(wait.fraction * 100)) })
        : t("chat.wait.reading", { completed: wait.completed, count: wait.total });
  return (
    <p className={classes.waiting}>
      {part !== undefined && (
        <Progress value={part * 100} size={4} transitionDuration={100} aria-label={text} className={classes.waitBar} />
      )}
      <span>{elapsed === "" ? text : `${text} · ${elapsed}`}</span>
    </p>
  );
}

function partOf(wait: Wait): number | undefined {
  if (wait.for === "loading") return wait.fraction;
  return wait.for === "reading" ? wait.completed / wait.total : undefined;
}
