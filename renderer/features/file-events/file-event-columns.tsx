import type { TFunction } from "i18next";
import type { FileEvent } from "../../../server/contract/app/file-events.ts";
import type { Column } from "../../ui/table/table-columns.ts";
import { RowTime } from "../../ui/marks/row-time.tsx";
import { ChangeMark } from "./change-mark.tsx";
import classes from "./file-events.module.css";

export const fileEventColumns = (t: TFunction): Column<FileEvent>[] => [
  {
    key: "received_at",
    sortable: true,
    header: t("fileEvents.time"),
    track: "96px",
    cell: (event) => <RowTime iso={event.received_at} />,
  },
  {
    key: "ev",
    sortable: true,
    header: t("fileEvents.kind"),
    track: "92px",
    cell: (event) => <ChangeMark ev={event.ev} />,
  },
  {
    key: "df",
    sortable: true,
    header: t("fileEvents.file"),
    track: "minmax(110px, 1fr)",
    cell: (event) => (
      <span className={classes.wire} title={pathText(event)}>
        <span className={event.moved_from === undefined ? undefined : classes.wideOnly}>{fromTo(event, fileName)}</span>
        {event.moved_from !== undefined && <BothPlaces from={event.moved_from} to={event.df} />}
      </span>
    ),
  },
  {
    key: "folder",
    header: t("fileEvents.folder"),
    track: "minmax(160px, 2fr)",
    wideOnly: true,
    cell: (event) => (
      <span className={classes.path} title={pathText(event)}>
        {/* The end of a long path says more than its beginning. */}
        <bdi>{fromTo(event, folderOf)}</bdi>
      </span>
    ),
  },
  {
    key: "id",
    header: t("fileEvents.id"),
    track: "64px",
    wideOnly: true,
    align: "end",
    cell: (event) => <span className={classes.dim}>{event.id}</span>,
  },
];

/** A move in a narrow table, which has no column for folders. */
const BothPlaces = ({ from, to }: { from: string; to: string }) => (
  <span className={classes.bothPlaces}>
    <FittedPath path={from} after=" →" />
    <FittedPath path={to} />
  </span>
);

/** A path in one line: its name, and as much of the beginning of its folder as fits. */
const FittedPath = ({ path, after = "" }: { path: string; after?: string }) => (
  <span className={classes.fitted}>
    <span className={classes.beginning}>{folderOf(path).slice(0, -1)}</span>
    <span className={classes.end}>
      {folderOf(path).slice(-1)}
      {fileName(path)}
      {after}
    </span>
  </span>
);

/** The last name of a path, with the slash of a folder. */
function fileName(path: string): string {
  const before = path.slice(0, -1);
  return path.slice(Math.max(before.lastIndexOf("/"), before.lastIndexOf("\\")) + 1);
}

const folderOf = (path: string) => path.slice(0, -fileName(path).length);

/** A part of the path; "old → new" where a move has changed it. */
function fromTo({ df, moved_from = df }: FileEvent, partOf: (path: string) => string): string {
  const [from, to] = [partOf(moved_from), partOf(df)];
  return from === to ? to : `${from} → ${to}`;
}

/** The path; "old → new" of a moved file. */
export const pathText = (event: FileEvent): string => fromTo(event, (path) => path);
