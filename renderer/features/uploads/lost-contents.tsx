import { Button } from "@mantine/core";
import { SearchCheck, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useUploadContents } from "../../api/queries/use-upload-contents.ts";
import { useFormats } from "../../i18n/formats-context.tsx";
import { Notice } from "../../ui/dialogs/notice.tsx";
import { QueryFailure } from "../../ui/dialogs/query-failure.tsx";
import { useCheckUploads } from "./use-check-uploads.ts";
import classes from "./uploads.module.css";

/** Lost contents of uploads, orphaned contents, possible causes, and the check. */
export function LostContents() {
  const { t } = useTranslation();
  const formats = useFormats();
  const { check, cancel, isChecking, found } = useCheckUploads();
  const query = useUploadContents(isChecking);
  const state = query.data;
  if (!state) return <QueryFailure query={query} />;
  if (state.lost === 0 && state.orphans.count === 0) return null;
  const { folder, lost, orphans } = state;
  return (
    <section aria-label={t("uploads.contents")} className={classes.contents}>
      <Notice kind={lost > 0 ? "error" : "info"}>
        {lost > 0 && (
          <>
            <strong>{t("uploads.lost", { count: lost })}</strong>
            <p>{t("uploads.lostText")}</p>
            <p>{t("uploads.lostWayOn", { folder })}</p>
          </>
        )}
        {orphans.count > 0 && (
          <p>{t("uploads.orphans", { count: orphans.count, size: formats.bytes(orphans.bytes), folder })}</p>
        )}
        <div className={classes.check}>
          <Button
            size="compact-sm"
            leftSection={<SearchCheck size={14} aria-hidden />}
            loading={isChecking || state.check !== undefined}
            onClick={check}
          >
            {t("uploads.check")}
          </Button>
          {isChecking && (
            <Button size="compact-sm" variant="default" leftSection={<X size={14} aria-hidden />} onClick={cancel}>
              {t("common.cancel")}
            </Button>
          )}
          {state.check && state.check.total > 0 && (
            <span role="status" className={classes.dim}>
              {t("uploads.checkProgress", { ...state.check })}
            </span>
          )}
          {!isChecking && found && found.lost === lost && lost > 0 && (
            <span role="status">
              {found.recovered > 0 && `${t("uploads.checkRecovered", { count: found.recovered })} `}
              {t("uploads.checkLost", { count: lost })}
            </span>
          )}
        </div>
      </Notice>
    </section>
  );
}
