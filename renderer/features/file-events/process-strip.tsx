import { Eye } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../ui/marks/badge.tsx";
import { useWatchProcesses } from "./use-watched-folders.ts";
import classes from "./file-events.module.css";

/** The running `hearth watch` processes, which the console cannot change; nothing while there is none. */
export function ProcessStrip() {
  const { t } = useTranslation();
  const { data = [] } = useWatchProcesses();
  if (data.length === 0) return undefined;
  return (
    <ul className={classes.strip} aria-label={t("fileEvents.processes")}>
      {data.map(({ pid, path, to }) => (
        <li key={pid} className={classes.folder}>
          <span className={classes.process}>
            <span className={classes.path} title={path}>
              <bdi>{path}</bdi>
            </span>
            <span className={classes.folderState}>
              <Badge tone="up" icon={Eye}>
                {t("fileEvents.state.watching")}
              </Badge>
              <span className={classes.dim}>{t("fileEvents.process", { pid, to })}</span>
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}
