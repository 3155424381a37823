import { useTranslation } from "react-i18next";
import type { ErrorSource, RecordedRequest } from "../../../server/contract/console/traffic/requests.ts";
import { CopyButton } from "../../ui/code/copy-button.tsx";
import { LongText } from "../../ui/code/long-text.tsx";
import { Notice } from "../../ui/dialogs/notice.tsx";
import classes from "./requests.module.css";

/** The request's refusal, and the place in the source where its exception was thrown. */
export function ErrorView(props: { error: NonNullable<RecordedRequest["error"]>; source: ErrorSource | undefined }) {
  const { t } = useTranslation();
  const { code, message, stack } = props.error;
  return (
    <div className={classes.error}>
      <Notice kind="error">
        <strong className={classes.wire}>{code}</strong> <LongText text={message} />
      </Notice>
      {stack !== undefined && (
        <p className={classes.exception}>
          <LongText text={stack.split("\n", 1).join("")} />
        </p>
      )}
      {props.source && <SourceLines source={props.source} />}
      {stack !== undefined && (
        <details>
          <summary>{t("requests.stack")}</summary>
          <div className={classes.stackTrace}>
            <CopyButton value={stack} name={t("requests.stack")} />
            <pre>
              <LongText text={stack} />
            </pre>
          </div>
        </details>
      )}
    </div>
  );
}

function SourceLines({ source }: { source: ErrorSource }) {
  const place = `${source.file}:${source.line}:${source.column}`;
  return (
    <figure className={classes.source}>
      <figcaption>
        <span className={classes.wire}>{place}</span>
        {source.function !== undefined && <span className={classes.dim}>{source.function}</span>}
        <CopyButton value={place} name={place} />
      </figcaption>
      <pre tabIndex={0} aria-label={place}>
        {source.lines.map((line, index) => {
          const number = source.first_line + index;
          return (
            <div key={number} data-thrown={number === source.line}>
              <span className={classes.lineNumber}>
                {number === source.line ? "→" : " "} {number}
              </span>
              {line}
            </div>
          );
        })}
      </pre>
    </figure>
  );
}
