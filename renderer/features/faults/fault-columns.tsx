import { ActionIcon } from "@mantine/core";
import type { TFunction } from "i18next";
import { CircleCheck, CreditCard, IdCard, RotateCcw, Route, Trash2, type LucideIcon } from "lucide-react";
import type { Formats } from "../../i18n/formats.ts";
import type { Column } from "../../ui/table/table-columns.ts";
import type { FaultOrigin, FaultRow } from "./fault-row.ts";
import classes from "./faults.module.css";

const icons: Readonly<Record<FaultOrigin, LucideIcon>> = { payment: CreditCard, identity: IdCard, route: Route };

interface Options {
  readonly t: TFunction;
  readonly formats: Formats;
  readonly onArmAgain: (row: FaultRow) => void;
  readonly onRemove: (row: FaultRow) => void;
}

export const faultColumns = ({ t, formats, onArmAgain, onRemove }: Options): Column<FaultRow>[] => [
  {
    key: "origin",
    sortBy: ({ origin }) => origin,
    header: t("faults.origin"),
    track: "104px",
    narrowTrack: "20px",
    cell: ({ origin }) => <Origin origin={origin} text={t(`faults.origins.${origin}`)} />,
  },
  {
    key: "kind",
    sortBy: ({ kind }) => kind,
    header: t("faults.kind"),
    track: "minmax(130px, 230px)",
    cell: ({ kind }) => (
      <span className={classes.wire} title={kind}>
        {kind}
      </span>
    ),
  },
  {
    key: "what",
    header: t("faults.what"),
    track: "minmax(100px, 1fr)",
    wideOnly: true,
    cell: ({ what, note }) => (
      <span title={note}>
        <span className={classes.wire}>{what}</span> {note !== undefined && <span className={classes.dim}>{note}</span>}
      </span>
    ),
  },
  {
    key: "scope",
    sortBy: ({ scope }) => scope,
    header: t("faults.scope"),
    track: "minmax(90px, 180px)",
    wideOnly: true,
    cell: ({ scope }) =>
      scope === "" ? (
        <span className={classes.dim}>{t("faults.everything")}</span>
      ) : (
        <span className={classes.wire} title={scope}>
          {scope}
        </span>
      ),
  },
  {
    key: "chance",
    sortBy: ({ chance }) => chance,
    header: t("faults.chance"),
    track: "64px",
    wideOnly: true,
    align: "end",
    cell: ({ chance }) => `${formats.number(chance * 100, chance * 100 < 1 ? 1 : 0)}%`,
  },
  {
    key: "hits",
    sortBy: ({ hits }) => hits,
    header: t("faults.hits"),
    track: "88px",
    align: "end",
    cell: (row) => <Hits row={row} t={t} formats={formats} />,
  },
  {
    key: "remove",
    header: t("faults.remove"),
    track: "72px",
    align: "end",
    cell: (row) => (
      <>
        {row.spent && <RowAction icon={RotateCcw} text={t("faults.armAgain")} onClick={() => onArmAgain(row)} />}
        <RowAction icon={Trash2} text={t("faults.removeOf", { kind: row.kind })} onClick={() => onRemove(row)} />
      </>
    ),
  },
];

function RowAction({ icon: Icon, text, onClick }: { icon: LucideIcon; text: string; onClick: () => void }) {
  return (
    <ActionIcon
      size={24}
      aria-label={text}
      title={text}
      onClick={(event) => {
        event.stopPropagation();
        onClick();
      }}
    >
      <Icon size={14} aria-hidden />
    </ActionIcon>
  );
}

function Origin({ origin, text }: { origin: FaultOrigin; text: string }) {
  const Icon = icons[origin];
  return (
    <span className={classes.origin} title={text}>
      <Icon size={14} strokeWidth={1.75} aria-hidden />
      <span>{text}</span>
    </span>
  );
}

/** The number of hits, and its limit. */
function Hits({ row: { hits, times, spent }, t, formats }: { row: FaultRow; t: TFunction; formats: Formats }) {
  return (
    <span className={classes.hits} data-hit={hits > 0}>
      {spent && <CircleCheck size={13} role="img" aria-label={t("faults.spent")} />}
      <b>{formats.number(hits)}</b>
      {times !== undefined && <span className={classes.dim}> / {formats.number(times)}</span>}
    </span>
  );
}
