import { Tooltip, VisuallyHidden } from "@mantine/core";
import { Radio, Unplug } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Connection } from "../api/events/event-source.ts";
import classes from "./bars/top-bar.module.css";

/** Whether the shown data is live. */
export function LiveStatus({ connection }: { connection: Connection }) {
  const { t } = useTranslation();
  const key = connection === "open" ? "live" : connection;
  const Icon = connection === "reconnecting" ? Unplug : Radio;
  return (
    <Tooltip label={t(`top.${key}Hint`)} multiline maw={300}>
      <div className={classes.live} data-connection={connection} role="status">
        <Icon size={14} aria-hidden />
        {connection === "connecting" ? (
          <>
            <VisuallyHidden>{t("top.connecting")}</VisuallyHidden>
            {/* Reserves the width of the next word, so that nothing moves when it appears. */}
            <span className={classes.liveLabel} style={{ visibility: "hidden" }} aria-hidden>
              {t("top.live")}
            </span>
          </>
        ) : (
          <span className={classes.liveLabel}>{t(`top.${key}`)}</span>
        )}
      </div>
    </Tooltip>
  );
}
