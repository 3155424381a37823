import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, useEffect, useId, useRef, type CSSProperties, type KeyboardEvent, type ReactNode } from "react";
import classes from "./data-table.module.css";

export interface Column<Row> {
  key: string;
  header: string;
  /** A grid track: "96px", "minmax(120px, 1fr)". */
  track: string;
  /** The track where the table is narrow, when it differs. */
  narrowTrack?: string;
  /** Left out where the table is narrow. */
  wideOnly?: boolean;
  align?: "end";
  cell: (row: Row) => ReactNode;
}

export interface DataTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** The rows that there are in all, loaded or not. */
  total?: number | undefined;
  selected: string | undefined;
  onSelect: (key: string | undefined) => void;
  /** Rows that came while the table was shown: they are marked for a moment. */
  fresh?: ReadonlySet<string>;
  /** Whether the reader has left the top. */
  onAway?: (away: boolean) => void;
  /** The end of what is loaded comes near. */
  onNearEnd?: () => void;
  /** Changes when the table shall jump back to the top. */
  topSignal?: number;
}

const rowHeight = 32;
const nearEndRows = 40;

/** A dense table that renders only what is seen. Arrow keys move the selection, Escape clears it. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, rows, rowKey, selected, onSelect, onNearEnd, topSignal } = props;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  // eslint-disable-next-line react-hooks/incompatible-library -- its result is used here only and never memoised
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rowKeyAt(rows, rowKey, index),
    overscan: 16,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;

  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - nearEndRows) onNearEnd?.();
  }, [last, rows.length, onNearEnd]);
  useEffect(() => {
    scroller.current?.scrollTo({ top: 0 });
  }, [topSignal]);

  const selectedIndex = selected === undefined ? -1 : rows.findIndex((row) => rowKey(row) === selected);
  const revealed = useRef(false);
  useEffect(() => {
    // An address that names a row shows it; later the reader decides what is seen.
    if (revealed.current || rows.length === 0) return;
    revealed.current = true;
    if (selectedIndex > 0) virtual.scrollToIndex(selectedIndex, { align: "center" });
  }, [rows.length, selectedIndex, virtual]);
  const selectedIsRendered = items.some((item) => item.index === selectedIndex);
  const move = (event: KeyboardEvent) => {
    const target = keyTarget(event.key, selectedIndex, rows.length, scroller.current?.clientHeight ?? 0);
    if (event.key === "Escape") onSelect(undefined);
    const row = target === undefined ? undefined : rows[target];
    if (target === undefined || row === undefined) return;
    event.preventDefault();
    virtual.scrollToIndex(target);
    onSelect(rowKey(row));
  };

  return (
    <div
      ref={scroller}
      className={classes.scroller}
      style={trackVariables(columns)}
      role="grid"
      aria-label={props.label}
      aria-rowcount={(props.total ?? rows.length) + 1}
      aria-activedescendant={selectedIsRendered ? `${id}-${selectedIndex}` : undefined}
      tabIndex={0}
      onKeyDown={move}
      onScroll={(event) => props.onAway?.(event.currentTarget.scrollTop > rowHeight / 2)}
    >
      <div role="row" aria-rowindex={1} className={classes.head}>
        {columns.map((column) => (
          <div key={column.key} role="columnheader" className={classes.cell} {...cellData(column)}>
            {column.header}
          </div>
        ))}
      </div>
      <div role="presentation" className={classes.body} style={{ height: virtual.getTotalSize() }}>
        {items.map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          const key = rowKey(row);
          return (
            <div
              key={key}
              id={`${id}-${item.index}`}
              role="row"
              aria-rowindex={item.index + 2}
              aria-selected={key === selected}
              className={classes.row}
              data-fresh={props.fresh?.has(key) ?? false}
              style={{ transform: `translateY(${item.start}px)` }}
              onClick={() => onSelect(key === selected ? undefined : key)}
            >
              <Cells row={row} columns={columns} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** A row's cells; they stay as they are while only the row's place changes, which a storm of events does all the time. */
const Cells = memo(function Cells<Row>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) {
  return columns.map((column) => (
    <div key={column.key} role="gridcell" className={classes.cell} {...cellData(column)}>
      {column.cell(row)}
    </div>
  ));
}) as <Row>(props: { row: Row; columns: readonly Column<Row>[] }) => ReactNode;

const rowKeyAt = <Row,>(rows: readonly Row[], rowKey: (row: Row) => string, index: number): string => {
  const row = rows[index];
  return row === undefined ? String(index) : rowKey(row);
};

const cellData = (column: { wideOnly?: boolean; align?: "end" }) => ({
  "data-wide-only": column.wideOnly ?? false,
  "data-align": column.align,
});

function trackVariables(columns: readonly { track: string; narrowTrack?: string; wideOnly?: boolean }[]) {
  const wide = columns.map((column) => column.track);
  const narrow = columns.filter((column) => !column.wideOnly).map((column) => column.narrowTrack ?? column.track);
  return { "--tracks-wide": wide.join(" "), "--tracks-narrow": narrow.join(" ") } as CSSProperties;
}

/** The row that a key moves to. */
function keyTarget(key: string, from: number, count: number, viewHeight: number): number | undefined {
  const page = Math.max(1, Math.floor(viewHeight / rowHeight) - 2);
  const to: Record<string, number> = {
    ArrowDown: from + 1,
    ArrowUp: from < 0 ? 0 : from - 1,
    PageDown: from + page,
    PageUp: from - page,
    Home: 0,
    End: count - 1,
  };
  const target = to[key];
  return target === undefined || count === 0 ? undefined : Math.max(0, Math.min(count - 1, target));
}
