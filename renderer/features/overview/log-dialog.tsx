import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ServiceName } from "../../../server/contract/services.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { useServiceLog } from "./use-activity.ts";
import classes from "./log-dialog.module.css";

/** The last lines of a process, kept current; it stays at the newest unless the reader scrolls up. */
export function LogDialog(props: { name: ServiceName; opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const { data, error } = useServiceLog(props.name, props.opened);
  const scroller = useRef<HTMLPreElement>(null);
  const atEnd = useRef(true);
  const text = data?.lines.join("\n") ?? "";
  useEffect(() => {
    const pre = scroller.current;
    if (pre && atEnd.current) pre.scrollTop = pre.scrollHeight;
  }, [text]);
  const title = t("overview.logOf", { name: t(`service.${props.name}`) });
  return (
    <Dialog opened={props.opened} onClose={props.onClose} size="xl" title={title}>
      <div className={classes.head}>
        <span>{t("overview.logHint")}</span>
        <CopyButton value={text} name={title} />
      </div>
      <pre
        ref={scroller}
        className={classes.lines}
        tabIndex={0}
        aria-label={title}
        onScroll={({ currentTarget: pre }) => {
          atEnd.current = pre.scrollHeight - pre.scrollTop - pre.clientHeight < 8;
        }}
      >
        {error
          ? t("failure.withReason", { reason: error.message })
          : data && text === ""
            ? t("overview.logEmpty")
            : text}
      </pre>
    </Dialog>
  );
}
