import { Dropzone } from "@mantine/dropzone";
import "@mantine/dropzone/styles.layer.css";
import { Upload } from "lucide-react";
import { useTranslation } from "react-i18next";
import classes from "./uploads.module.css";

/** Takes files; which of them are acceptable is the server's word, so that its own answers are seen. */
export function DropZone({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.dropArea}>
      <Dropzone
        className={classes.drop}
        onDrop={onFiles}
        inputProps={{ "aria-label": t("uploads.dropInput") }}
        aria-label={t("uploads.drop")}
      >
        <div className={classes.dropInner}>
          <Upload size={18} strokeWidth={1.75} aria-hidden />
          <div>
            <div>{t("uploads.drop")}</div>
            <div className={classes.dropHint}>{t("uploads.dropHint")}</div>
          </div>
        </div>
      </Dropzone>
    </div>
  );
}
