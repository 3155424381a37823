import { useTranslation } from "react-i18next";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { BodyView } from "../../../ui/code/body-view.tsx";
import { CodeBlock } from "../../../ui/code/code-block.tsx";
import { hexDump, isPicture, mediaTypeOf, pictureAddress, decodedText } from "./wire-body.ts";
import classes from "../requests.module.css";

/** Shows a body by its type: a picture, a highlighted text, or bytes. */
export function BodyContent(props: { bytes: Uint8Array<ArrayBuffer>; contentType: string | undefined; label: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { bytes, contentType, label } = props;
  const mediaType = mediaTypeOf(contentType);
  const text = decodedText(bytes);
  if (isPicture(mediaType))
    return (
      <figure className={classes.picture}>
        <img src={pictureAddress(bytes, mediaType)} alt={label} />
        <figcaption className={classes.dim}>
          {mediaType} · {formats.bytes(bytes.length)}
        </figcaption>
        {text !== undefined && <BodyView text={text} mediaType={contentType} label={label} />}
      </figure>
    );
  if (text !== undefined) return <BodyView text={text} mediaType={contentType} label={label} />;
  return (
    <div className={classes.stack}>
      <p className={classes.dim}>{t("requests.bytes", { size: formats.bytes(bytes.length) })}</p>
      <div className={classes.hex}>
        <CodeBlock code={hexDump(bytes)} />
      </div>
    </div>
  );
}
