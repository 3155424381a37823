import { Paperclip, TextCursorInput } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { BodyContent } from "./body-content.tsx";
import type { BodyPart } from "./multipart.ts";
import classes from "../requests.module.css";

/** The fields and files of a form. */
export function MultipartView({ parts }: { parts: readonly BodyPart[] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <ol className={classes.parts}>
      {parts.map(({ name, fileName, contentType, bytes }, index) => {
        const Icon = fileName === undefined ? TextCursorInput : Paperclip;
        const title = name ?? t("requests.part", { number: index + 1 });
        return (
          <li key={index}>
            <header className={classes.partHead}>
              <Icon size={13} aria-hidden />
              <strong className={classes.wire}>{title}</strong>
              {fileName !== undefined && <span className={classes.wire}>{fileName}</span>}
              <span className={classes.dim}>
                {contentType ?? "text/plain"} · {formats.bytes(bytes.length)}
              </span>
            </header>
            {bytes.length > 0 && <BodyContent bytes={bytes} contentType={contentType} label={fileName ?? title} />}
          </li>
        );
      })}
    </ol>
  );
}
