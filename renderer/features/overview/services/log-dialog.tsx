import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ServiceName } from "../../../../server/contract/process/services.ts";
import { CopyButton } from "../../../ui/code/copy-button.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { useRaw } from "../../../ui/code/use-raw.tsx";
import { QueryFailure } from "../../../ui/dialogs/query-failure.tsx";
import { LogLines } from "./log-lines.tsx";
import { useServiceLog } from "../use-activity.ts";
import classes from "./log-dialog.module.css";

/** The last lines of a process, updated; it follows the newest unless the reader scrolls up. */
export function LogDialog(props: { name: ServiceName; opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const title = t("overview.logOf", { name: t(`service.${props.name}`) });
  return (
    <Dialog opened={props.opened} onClose={props.onClose} size="xl" title={title} pageKeys>
      {props.opened && <LogTail name={props.name} title={title} />}
    </Dialog>
  );
}

function LogTail({ name, title }: { name: ServiceName; title: string }) {
  const { t } = useTranslation();
  const log = useServiceLog(name, true);
  const { data } = log;
  const { raw, rawButton } = useRaw(title);
  const scroller = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const lines = data?.lines ?? [];
  const text = lines.join("\n");
  useEffect(() => {
    const box = scroller.current;
    if (box && atEnd.current) box.scrollTop = box.scrollHeight;
  }, [text, raw]);
  return (
    <>
      <div className={classes.head}>
        <span>{t("overview.logHint")}</span>
        <span className={classes.ways}>
          {rawButton}
          <CopyButton value={text} name={title} />
        </span>
      </div>
      <QueryFailure query={log} />
      <div
        ref={scroller}
        className={classes.lines}
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label={title}
        onScroll={({ currentTarget: box }) => {
          atEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < 8;
        }}
      >
        {data && text === "" ? t("overview.logEmpty") : raw ? text : <LogLines lines={lines} />}
      </div>
    </>
  );
}
