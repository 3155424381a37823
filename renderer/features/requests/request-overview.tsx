import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { RecordedRequest } from "../../../server/contract/console/traffic/requests.ts";
import { useOverview } from "../../api/queries/use-overview.ts";
import { useFormats } from "../../i18n/formats-context.tsx";
import { CopyButton } from "../../ui/code/copy-button.tsx";
import { Notice } from "../../ui/dialogs/notice.tsx";
import { FaultBadges } from "../../ui/marks/fault-badges.tsx";
import { Fields } from "../../ui/forms/fields.tsx";
import { SessionExpired } from "./session-expired.tsx";
import { ErrorView } from "./error-view.tsx";
import { MadeCalls } from "./made-calls.tsx";
import { recordedHeader } from "./message/wire-body.ts";
import classes from "./requests.module.css";

/** Origin, target, time, and durations of the request's parts. */
export function RequestOverview({ request }: { request: RecordedRequest }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { data } = useOverview();
  const { path, query, request: sent, response } = request;
  const address = data?.addresses[request.service] ?? `http://${recordedHeader(sent.headers, "host") ?? "localhost"}`;
  const url = address + (query === "" ? path : `${path}?${query}`);
  const first = response.chunks?.[0]?.ms;
  const size = (bytes: number) => `${formats.bytes(bytes)}`;
  return (
    <div className={classes.stack}>
      <FaultBadges faults={request.faults} />
      {request.error && <ErrorView error={request.error} source={request.error_source} />}
      {request.status === 401 && <SessionExpired request={request} />}
      {request.service === "model" && request.status === 404 && (
        <Notice kind="info">
          {t("requests.modelMissing")}{" "}
          <Link to="/models" className={classes.link}>
            {t("requests.toModels")}
          </Link>
        </Notice>
      )}
      <MadeCalls request={request} />
      {request.warning !== undefined && (
        <Notice kind="info">
          <code>{request.warning}</code>. {t("requests.warningHint")}
        </Notice>
      )}
      <Timing total={request.ms} first={first} />
      <Fields
        items={[
          {
            name: t("requests.address"),
            wire: true,
            value: (
              <span className={classes.withCopy}>
                {url} <CopyButton value={url} name={t("requests.address")} />
              </span>
            ),
          },
          { name: t("requests.service"), value: t(`requests.services.${request.service}`) },
          { name: t("requests.time"), value: <time dateTime={request.time}>{formats.exact(request.time)}</time> },
          { name: t("requests.sizes"), value: `${size(request.request_size)} → ${size(request.response_size)}` },
          ...(request.complete ? [] : [{ name: t("requests.end"), value: t("requests.cutText") }]),
          { name: t("requests.client"), value: request.client, wire: true },
          ...(request.session_id === undefined
            ? []
            : [{ name: t("requests.session"), value: <Session id={request.session_id} uid={request.uid} /> }]),
          ...(request.request_id === "" ? [] : [{ name: "X-Request-Id", value: request.request_id, wire: true }]),
          ...(request.replay_of === undefined
            ? []
            : [
                {
                  name: t("requests.origin"),
                  value: (
                    <Link to="/requests" search={{ request: String(request.replay_of) }} className={classes.link}>
                      {t("requests.replayOf", { id: request.replay_of })}
                    </Link>
                  ),
                },
              ]),
        ]}
      />
    </div>
  );
}

function Session({ id, uid }: { id: number; uid: string | undefined }) {
  const { t } = useTranslation();
  return (
    <span className={classes.links}>
      {uid !== undefined && (
        <Link to="/users" search={{ user: uid }} className={classes.link}>
          {t("requests.userOf", { uid })}
        </Link>
      )}
      <Link to="/requests" search={{ session: String(id) }} className={classes.link}>
        {t("requests.ofSession", { id })}
      </Link>
    </span>
  );
}

/** The time until the first byte and until the last, if the pieces were timed. */
function Timing({ total, first }: { total: number; first: number | undefined }) {
  const { t } = useTranslation();
  const formats = useFormats();
  if (first === undefined) return null;
  const wait = Math.min(first, total);
  return (
    <div>
      <div className={classes.timing} aria-hidden>
        <span style={{ flexGrow: wait }} data-part="wait" />
        <span style={{ flexGrow: total - wait }} data-part="receive" />
      </div>
      <p className={classes.timingText}>
        {t("requests.timing", { wait: formats.duration(wait), receive: formats.duration(total - wait) })}
      </p>
    </div>
  );
}
