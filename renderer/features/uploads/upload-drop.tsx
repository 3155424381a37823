import { useTranslation } from "react-i18next";
import { DropZone } from "../../ui/forms/drop-zone.tsx";
import classes from "./uploads.module.css";

/** Accepts any files, because the server decides on them and its answers should be shown. */
export function UploadDrop({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.dropArea}>
      <DropZone
        label={t("uploads.drop")}
        hint={t("uploads.dropHint")}
        inputLabel={t("uploads.dropInput")}
        onFiles={onFiles}
      />
    </div>
  );
}
