import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { fileChangeSchema, type FileChange, type FileEventCounts } from "../../../server/contract/app/file-events.ts";
import { useFormats } from "../../i18n/formats-context.tsx";
import type { FileEventsSearch } from "./file-events-search.ts";
import classes from "./file-events.module.css";

/** The counts by kind, each a filter, and the path of the filter. */
export function KindFilter(props: {
  counts: FileEventCounts | undefined;
  ev: FileChange | undefined;
  path: string | undefined;
  onChange: (change: Pick<FileEventsSearch, "ev"> | Pick<FileEventsSearch, "path">) => void;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { counts, ev, path, onChange } = props;
  return (
    <div className={classes.kinds} role="group" aria-label={t("fileEvents.kinds")}>
      {fileChangeSchema.options.map((kind) => (
        <button
          key={kind}
          type="button"
          className={classes.kind}
          aria-pressed={kind === ev}
          onClick={() => onChange({ ev: kind === ev ? undefined : kind })}
        >
          {kind} <span className={classes.count}>{counts ? formats.number(counts[kind]) : ""}</span>
        </button>
      ))}
      {path !== undefined && (
        <button
          type="button"
          className={classes.kind}
          aria-label={t("fileEvents.allPaths")}
          aria-pressed
          onClick={() => onChange({ path: undefined })}
        >
          <span className={classes.chosenPath}>{path}</span>
          <X size={12} aria-hidden />
        </button>
      )}
    </div>
  );
}
