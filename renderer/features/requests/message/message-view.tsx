import { Fragment, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { RecordedRequest } from "../../../../server/contract/console/traffic/requests.ts";
import { CopyButton } from "../../../ui/code/copy-button.tsx";
import { LongText } from "../../../ui/code/long-text.tsx";
import { RestButton } from "../../../ui/code/rest-button.tsx";
import { useFirstRows } from "../../../ui/code/use-first-rows.ts";
import { Notice } from "../../../ui/dialogs/notice.tsx";
import { BodyContent } from "./body-content.tsx";
import { readMultipart } from "./multipart.ts";
import { MultipartView } from "./multipart-view.tsx";
import { streamPieces } from "./stream-pieces.ts";
import { StreamReplay } from "./stream-replay.tsx";
import { recordedBytes, recordedHeader } from "./wire-body.ts";
import classes from "../requests.module.css";

type Message = RecordedRequest["response"];

const headersAtOnce = 200;

/** Headers and body of one direction. `totalMs`: how long a streamed answer took. */
export function MessageView({ headers, body, chunks, totalMs, label }: Message & { totalMs?: number; label: string }) {
  const { t } = useTranslation();
  const { shown, more, showMore } = useFirstRows(headers, headersAtOnce);
  const lines = headers.map(({ name, value }) => `${name}: ${value}`).join("\n");
  return (
    <div className={classes.stack}>
      <section className={classes.stack}>
        <h3>{t("requests.body")}</h3>
        <Body
          body={body}
          chunks={chunks}
          contentType={recordedHeader(headers, "content-type")}
          totalMs={totalMs}
          label={label}
        />
      </section>
      <section>
        <header className={classes.sectionHead}>
          <h3>{t("requests.headers")}</h3>
          <CopyButton value={lines} name={t("requests.headers")} />
        </header>
        <dl className={classes.headerLines}>
          {shown.map(({ name, value }, index) => (
            <Fragment key={index}>
              <dt>
                <LongText text={name} />
              </dt>
              <dd>
                <LongText text={value} />
              </dd>
            </Fragment>
          ))}
        </dl>
        {more > 0 && <RestButton rows={more} onClick={showMore} />}
      </section>
    </div>
  );
}

function Body(props: {
  body: Message["body"];
  chunks: Message["chunks"];
  contentType: string | undefined;
  totalMs: number | undefined;
  label: string;
}) {
  const { t } = useTranslation();
  const { body, chunks, contentType, label } = props;
  const { bytes, parts, pieces } = useMemo(() => {
    const bytes = recordedBytes(body);
    return { bytes, parts: readMultipart(bytes, contentType), pieces: streamPieces(bytes, chunks ?? []) };
  }, [body, chunks, contentType]);
  if (body.size === 0) return <p className={classes.dim}>{t("requests.noBody")}</p>;
  if (body.withheld !== undefined)
    return <Notice kind="info">{t("requests.withheld", { reason: body.withheld })}</Notice>;
  return (
    <>
      {body.truncated && <Notice kind="info">{t("requests.truncated")}</Notice>}
      {parts ? (
        <MultipartView parts={parts} />
      ) : pieces.length > 1 ? (
        <StreamReplay pieces={pieces} totalMs={props.totalMs ?? 0} contentType={contentType} label={label} />
      ) : (
        <BodyContent bytes={bytes} contentType={contentType} label={label} />
      )}
    </>
  );
}
