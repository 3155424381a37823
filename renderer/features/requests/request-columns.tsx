import { ChevronDown, ChevronRight, CircleOff, CornerDownRight, Pin, TriangleAlert, Unplug } from "lucide-react";
import type { TFunction } from "i18next";
import type { ReactNode } from "react";
import type { RecordedSummary } from "../../../server/contract/console/traffic/requests.ts";
import type { Formats } from "../../i18n/formats.ts";
import type { Column } from "../../ui/table/table-columns.ts";
import { FaultBadges } from "../../ui/marks/fault-badges.tsx";
import { RowTime } from "../../ui/marks/row-time.tsx";
import { StatusCode } from "../../ui/marks/status-code.tsx";
import type { ListedRequest } from "./fold-queries.ts";
import classes from "./requests.module.css";

interface Pins {
  isPinned(request: RecordedSummary): boolean;
  toggle(request: RecordedSummary): void;
}

export const requestColumns = (
  t: TFunction,
  formats: Formats,
  pins: Pins,
  onFold: (row: ListedRequest) => void,
): Column<ListedRequest>[] => [
  {
    key: "time",
    sortable: true,
    header: t("requests.time"),
    track: "96px",
    cell: ({ time }) => <RowTime iso={time} />,
  },
  {
    key: "status",
    sortable: true,
    header: t("requests.status"),
    track: "52px",
    narrowTrack: "48px",
    cell: ({ status, complete, warning, error }) => (
      <span className={classes.status}>
        <StatusCode status={status} />
        {warning !== undefined && (
          <span className={classes.warned} title={warning}>
            <TriangleAlert size={11} aria-label={t("requests.warning")} />
          </span>
        )}
        {error?.code === "not_simulated" && (
          <span title={error.message}>
            <CircleOff size={11} aria-label={t("requests.notSimulated")} />
          </span>
        )}
        {!complete && <Unplug size={11} aria-label={t("requests.cut")} />}
      </span>
    ),
  },
  {
    key: "method",
    sortable: true,
    header: t("requests.method"),
    track: "58px",
    narrowTrack: "50px",
    cell: ({ method }) => <span className={classes.method}>{method}</span>,
  },
  {
    key: "path",
    sortable: true,
    header: t("requests.path"),
    track: "minmax(120px, 1fr)",
    cell: (request) => (
      <span className={classes.pathCell} data-below={request.isBelow ?? false}>
        <Path request={request} t={t} />
        {request.queries !== undefined && (
          <FoldButton label={t("requests.queries", { count: request.queries })} row={request} onFold={onFold}>
            ×{formats.number(request.queries)}
          </FoldButton>
        )}
        <PinButton t={t} pinned={pins.isPinned(request)} onToggle={() => pins.toggle(request)} />
      </span>
    ),
  },
  {
    key: "service",
    sortable: true,
    header: t("requests.service"),
    track: "112px",
    wideOnly: true,
    cell: ({ sender, service }) => (
      <span className={classes.dim}>{sender === "client" ? service : `${sender} → ${service}`}</span>
    ),
  },
  {
    key: "user",
    header: t("requests.user"),
    track: "44px",
    wideOnly: true,
    cell: ({ uid }) => <span className={classes.wire}>{uid}</span>,
  },
  {
    key: "ms",
    sortable: true,
    header: t("requests.duration"),
    track: "80px",
    wideOnly: true,
    align: "end",
    cell: ({ ms }) => formats.duration(ms),
  },
  {
    key: "response_size",
    sortable: true,
    header: t("requests.size"),
    track: "72px",
    wideOnly: true,
    align: "end",
    cell: ({ response_size }) => <span className={classes.dim}>{formats.bytes(response_size)}</span>,
  },
];

function Path({ request, t }: { request: RecordedSummary; t: TFunction }) {
  const { path, query, replay_of } = request;
  return (
    <span className={classes.path} title={query === "" ? path : `${path}?${query}`}>
      {replay_of !== undefined && <CornerDownRight size={11} aria-label={t("requests.replayOf", { id: replay_of })} />}
      {path}
      {query !== "" && <span className={classes.dim}>?{query}</span>}
      <FaultBadges faults={request.faults} />
    </span>
  );
}

/** Shows or hides the other queries of the row's order. */
function FoldButton(props: {
  label: string;
  row: ListedRequest;
  onFold: (row: ListedRequest) => void;
  children: ReactNode;
}) {
  const Chevron = props.row.isOpen ? ChevronDown : ChevronRight;
  return (
    <button
      type="button"
      className={classes.fold}
      title={props.label}
      aria-label={props.label}
      aria-expanded={props.row.isOpen}
      onClick={(event) => {
        event.stopPropagation();
        props.onFold(props.row);
      }}
    >
      <Chevron size={11} aria-hidden />
      {props.children}
    </button>
  );
}

/** Plain HTML, because each row has one, and hundreds of rows are rendered while scrolling. */
function PinButton({ t, pinned, onToggle }: { t: TFunction; pinned: boolean; onToggle: () => void }) {
  return (
    <button
      type="button"
      className={classes.pin}
      tabIndex={-1}
      aria-label={t(pinned ? "requests.unpin" : "requests.pin")}
      aria-pressed={pinned}
      onClick={(event) => {
        event.stopPropagation();
        onToggle();
      }}
    >
      <Pin size={12} aria-hidden fill={pinned ? "currentColor" : "none"} />
    </button>
  );
}
