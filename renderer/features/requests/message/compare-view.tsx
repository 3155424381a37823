import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { RecordedRequest } from "../../../../server/contract/console/traffic/requests.ts";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { formatBody } from "../../../ui/code/format-body.ts";
import { LongText } from "../../../ui/code/long-text.tsx";
import { Notice } from "../../../ui/dialogs/notice.tsx";
import { QueryFailure } from "../../../ui/dialogs/query-failure.tsx";
import { StatusCode } from "../../../ui/marks/status-code.tsx";
import { lineChanges, type ChangedLine } from "./line-changes.ts";
import { useRecordedRequest } from "../use-requests.ts";
import { recordedHeader } from "./wire-body.ts";
import classes from "../requests.module.css";

/** Compares a replayed request with the original: both answers, and their differences. */
export function CompareView({ request, before }: { request: RecordedRequest; before: number }) {
  const { t } = useTranslation();
  const query = useRecordedRequest(String(before));
  const original = query.data;
  if (original === null) return <Notice kind="info">{t("requests.gone", { id: String(before) })}</Notice>;
  if (!original) return <QueryFailure query={query} />;
  return (
    <div className={classes.stack}>
      <div className={classes.sides}>
        <Side request={original} title={t("requests.before")} />
        <Side request={request} title={t("requests.after")} />
      </div>
      <Changes title={t("requests.tab.request")} before={sentText(original)} after={sentText(request)} />
      <Changes title={t("requests.responseBody")} before={answerText(original)} after={answerText(request)} />
    </div>
  );
}

function Side({ request, title }: { request: RecordedRequest; title: string }) {
  const formats = useFormats();
  return (
    <section className={classes.side} aria-label={title}>
      <h3>
        {title}{" "}
        <Link to="/requests" search={{ request: String(request.id) }} className={classes.link}>
          #{request.id}
        </Link>
      </h3>
      <StatusCode status={request.status} />
      <span>{formats.duration(request.ms)}</span>
      <span className={classes.dim}>{formats.bytes(request.response_size)}</span>
    </section>
  );
}

function Changes({ title, before, after }: { title: string; before: string; after: string }) {
  const { t } = useTranslation();
  const lines = before === after ? [] : lineChanges(before, after);
  return (
    <section>
      <h3>{title}</h3>
      {lines === undefined ? (
        <p className={classes.dim}>{t("requests.tooLong")}</p>
      ) : lines.length === 0 ? (
        <p className={classes.dim}>{t("requests.noDifference")}</p>
      ) : (
        <pre className={classes.changes} tabIndex={0} aria-label={title}>
          {nearChanges(lines).map((line, index) => (
            <div key={index} data-kind={line?.kind ?? "gap"}>
              {line ? <LongText text={`${signs[line.kind]} ${line.text}`} /> : "⋯"}
            </div>
          ))}
        </pre>
      )}
    </section>
  );
}

const signs = { same: " ", removed: "−", added: "+" };
const around = 3;

/** The changed lines with some context; undefined stands for omitted ones. */
function nearChanges(lines: readonly ChangedLine[]): (ChangedLine | undefined)[] {
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some(({ kind }) => kind !== "same"),
  );
  return lines.flatMap((line, index) => (near[index] ? [line] : index === 0 || near[index - 1] ? [undefined] : []));
}

/** Headers that differ between any two messages. */
const alwaysNew = new Set(["x-request-id", "connection", "content-length", "host", "keep-alive"]);

function sentText({ method, path, query, request: { headers, body } }: RecordedRequest): string {
  const lines = headers
    .filter(({ name }) => !alwaysNew.has(name.toLowerCase()))
    .map(({ name, value }) => `${name.toLowerCase()}: ${sessionsAlike(value)}`)
    .sort();
  return [`${method} ${query === "" ? path : `${path}?${query}`}`, ...lines, "", bodyText(body, headers)].join("\n");
}

/** A replay has a session of its own, of the same user. */
const sessionsAlike = (value: string) => value.replace(/\{\{session:\d+\}\}/g, "{{session}}");

const answerText = ({ response: { headers, body } }: RecordedRequest) => bodyText(body, headers);

function bodyText(body: RecordedRequest["response"]["body"], headers: RecordedRequest["response"]["headers"]): string {
  const text = body.text ?? body.base64 ?? "";
  return sessionsAlike(formatBody(text, recordedHeader(headers, "content-type")).pretty ?? text);
}
