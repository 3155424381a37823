import { CircleAlert, Coins, KeyRound, Route, UserRound, Waypoints } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useUserName } from "../../../api/queries/use-user-name.ts";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { FaultBadges } from "../../../ui/marks/fault-badges.tsx";
import { RelativeTime } from "../../../ui/marks/relative-time.tsx";
import { StatusCode } from "../../../ui/marks/status-code.tsx";
import { layOut, type RequestGroup, type TimedRequest } from "./group-requests.ts";
import classes from "./waterfall.module.css";

const icons = { login: KeyRound, order: Coins, trace: Route, burst: Waypoints, user: UserRound };

interface Selection {
  selected: string | undefined;
  onSelect: (id: string | undefined) => void;
}

/** A group of requests: a title, and below it a bar for each request. */
export function WaterfallGroup({ group, ...selection }: Selection & { group: RequestGroup }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { kind, requests } = group;
  const timed = useMemo(() => layOut(group), [group]);
  const Icon = icons[kind];
  const title = useTitle(group);
  const failed = requests.filter(({ status = 599 }) => status >= 500).length;
  const first = requests[0];
  return (
    <div role="group" className={classes.group} aria-label={title}>
      <header className={classes.head}>
        <Icon size={14} strokeWidth={1.75} aria-hidden />
        <h2 className={classes.title}>{title}</h2>
        {failed > 0 && (
          <span className={classes.failed}>
            <CircleAlert size={12} aria-hidden />
            {t("histogram.failed", { count: failed })}
          </span>
        )}
        <span className={classes.when}>
          {requests.length > 1 && `${t("requests.count", { count: requests.length })} · `}
          {formats.duration(timed.totalMs)} · {first && <RelativeTime iso={first.time} />}
        </span>
      </header>
      <ol className={classes.rows}>
        {timed.rows.map((row) => (
          <Row key={row.request.id} row={row} pauses={timed.pauses} {...selection} />
        ))}
      </ol>
    </div>
  );
}

function useTitle({ kind, name, requests }: RequestGroup): string {
  const { t } = useTranslation();
  const isOfUser = kind !== "order" && kind !== "trace" && name !== "";
  const person = useUserName(isOfUser ? name : undefined);
  const called = name === "" ? t("requests.group.calls") : (person ?? name);
  if (kind === "login")
    return name === "" ? t("requests.group.loginBegun") : t("requests.group.login", { name: called });
  if (kind === "order") return t("requests.group.order", { number: name });
  if (kind === "trace") return t("requests.group.trace", { id: name.slice(0, 8) });
  if (kind === "user") return called;
  const own = requests[0]?.sender ?? "client";
  if (own !== "client") return t(`requests.sender.${own}`);
  return name === "" ? t("requests.group.calls") : t("requests.group.callsOf", { name: called });
}

function Row({ row, pauses, selected, onSelect }: Selection & { row: TimedRequest; pauses: readonly number[] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { request, afterMs, left, width, depth } = row;
  const id = String(request.id);
  const isOwn = request.sender !== "client";
  return (
    <li>
      <button
        type="button"
        className={classes.row}
        data-own={isOwn}
        aria-pressed={selected === id}
        onClick={() => onSelect(selected === id ? undefined : id)}
      >
        <span className={classes.what} style={{ paddingInlineStart: depth * 18 }}>
          <StatusCode status={request.status} />
          <span className={classes.method}>{request.method}</span>
          <span className={classes.path} title={request.path}>
            {request.path}
          </span>
          <span className={classes.service}>{isOwn ? `${request.sender} → ${request.service}` : request.service}</span>
        </span>
        <span className={classes.time} title={t("requests.afterBegin", { time: formats.duration(afterMs) })}>
          {pauses.map((place) => (
            <span key={place} className={classes.pause} style={{ left: `${place}%` }} />
          ))}
          <span
            className={classes.bar}
            data-class={request.status === undefined ? "none" : Math.floor(request.status / 100)}
            style={{ left: `${left}%`, width: `max(3px, ${width}%)` }}
          />
        </span>
        <span className={classes.ms}>{formats.duration(request.ms)}</span>
      </button>
      {request.faults && (
        <span className={classes.faults}>
          <FaultBadges faults={request.faults} />
        </span>
      )}
    </li>
  );
}
