import { useTranslation } from "react-i18next";
import { BodyView } from "../../../ui/code/body-view.tsx";
import { LongText } from "../../../ui/code/long-text.tsx";
import type { RawMessage } from "./order-history.ts";
import classes from "./history.module.css";

/** The body's type, from its first character when no header names it. */
function mediaTypeOf({ headers = {}, body }: RawMessage): string {
  const contentType = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1];
  if (contentType !== undefined) return contentType;
  const first = body.trimStart()[0];
  return first === "<" ? "text/xml" : first === "{" ? "application/json" : "text/plain";
}

/** A message as it was on the wire. */
export function RawMessageView({ message, name }: { message: RawMessage; name: string }) {
  const { t } = useTranslation();
  const headers = Object.entries(message.headers ?? {});
  return (
    <div className={classes.message}>
      <div className={classes.line}>
        {name} <code>{message.line}</code>
      </div>
      {headers.length > 0 && (
        <details className={classes.headers}>
          <summary>{t("payments.headers", { count: headers.length })}</summary>
          <pre>
            <LongText text={headers.map(([header, value]) => `${header}: ${value}`).join("\n")} />
          </pre>
        </details>
      )}
      {message.body === "" ? (
        <p className={classes.text}>{t("payments.emptyBody")}</p>
      ) : (
        <BodyView text={message.body} mediaType={mediaTypeOf(message)} label={name} maxHeight={320} />
      )}
    </div>
  );
}
