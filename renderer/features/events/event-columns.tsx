import { CircleDot, Cpu, FileText, FolderSync, FolderUp, KeyRound, Server, UserRound } from "lucide-react";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { CloudEvent } from "../../../server/contract/console/traffic/stored-event.ts";
import type { Formats } from "../../i18n/formats.ts";
import type { Column } from "../../ui/table/table-columns.ts";
import { useWireTexts } from "../../i18n/wire-texts.ts";
import { parseFaultMarks } from "../../../server/contract/fault-mark.ts";
import { FaultBadges } from "../../ui/marks/fault-badges.tsx";
import { RowTime } from "../../ui/marks/row-time.tsx";
import { isKnownEvent, summarize } from "./summarize.ts";
import classes from "./events.module.css";

const icons = {
  session: KeyRound,
  user: UserRound,
  resource: FileText,
  upload: FolderUp,
  file: FolderSync,
  service: Server,
  model: Cpu,
};

export const eventColumns = (t: TFunction, formats: Formats): Column<CloudEvent>[] => [
  {
    key: "time",
    sortable: true,
    header: t("events.time"),
    track: "96px",
    cell: (event) => <RowTime iso={event.time} />,
  },
  {
    key: "type",
    sortable: true,
    header: t("events.type"),
    track: "152px",
    narrowTrack: "136px",
    cell: (event) => <EventType type={event.type} />,
  },
  {
    key: "summary",
    header: t("events.summary"),
    track: "minmax(120px, 1fr)",
    cell: (event) => <EventSummary event={event} formats={formats} />,
  },
  {
    key: "source",
    sortable: true,
    header: t("events.source"),
    track: "124px",
    wideOnly: true,
    cell: (event) => <span className={classes.dim}>{event.source}</span>,
  },
  {
    key: "id",
    header: t("events.id"),
    track: "64px",
    wideOnly: true,
    align: "end",
    cell: (event) => <span className={classes.dim}>{event.id}</span>,
  },
];

function EventSummary({ event, formats }: { event: CloudEvent; formats: Formats }) {
  const { t } = useTranslation();
  const say = useWireTexts();
  const text = summarize(event, formats, say);
  const happened = isKnownEvent(event.type) ? t(`events.happened.${event.type}`) : undefined;
  return (
    <span className={classes.summary} title={text}>
      {happened !== undefined && <span className={classes.happened}>{happened}</span>}
      {text}
      <EventFaults event={event} />
    </span>
  );
}

export const EventFaults = ({ event: { faults } }: { event: CloudEvent }) => (
  <FaultBadges faults={faults === undefined ? undefined : parseFaultMarks(faults)} />
);

function EventType({ type }: { type: string }) {
  const kind = type.split(".")[0] ?? "";
  const Icon = kind in icons ? icons[kind as keyof typeof icons] : CircleDot;
  const bad = type.endsWith(".rejected");
  return (
    <span className={classes.type} data-bad={bad}>
      <Icon size={14} strokeWidth={1.75} aria-hidden />
      <span className={classes.typeName}>{type}</span>
    </span>
  );
}
