import { Paperclip, TextCursorInput } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { LongText } from "../../../ui/code/long-text.tsx";
import { RestButton } from "../../../ui/code/rest-button.tsx";
import { useFirstRows } from "../../../ui/code/use-first-rows.ts";
import { BodyContent } from "./body-content.tsx";
import type { BodyPart } from "./multipart.ts";
import classes from "../requests.module.css";

/** Each part may have an editor of its own. */
const initialCount = 50;

/** The fields and files of a form: the first ones, and the others on demand. */
export function MultipartView({ parts }: { parts: readonly BodyPart[] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { shown, more, showMore } = useFirstRows(parts, initialCount);
  return (
    <ol className={classes.parts}>
      {shown.map(({ name, fileName, contentType, bytes }, index) => {
        const Icon = fileName === undefined ? TextCursorInput : Paperclip;
        const title = name ?? t("requests.part", { number: index + 1 });
        return (
          <li key={index}>
            <header className={classes.partHead}>
              <Icon size={13} aria-hidden />
              <strong className={classes.wire}>
                <LongText text={title} />
              </strong>
              {fileName !== undefined && (
                <span className={classes.wire}>
                  <LongText text={fileName} />
                </span>
              )}
              <span className={classes.dim}>
                {contentType ?? "text/plain"} · {formats.bytes(bytes.length)}
              </span>
            </header>
            {bytes.length > 0 && <BodyContent bytes={bytes} contentType={contentType} label={fileName ?? title} />}
          </li>
        );
      })}
      {more > 0 && (
        <li>
          <RestButton rows={more} onClick={showMore} />
          <span className={classes.dim}>{t("requests.partsShown", { shown: shown.length, all: parts.length })}</span>
        </li>
      )}
    </ol>
  );
}
