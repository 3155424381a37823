import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useShortcut } from "../keyboard/shortcuts.ts";
import { Cells } from "./table-cells.tsx";
import type { TableColumns } from "./table-columns.ts";
import { useHighlight } from "./use-highlight.ts";
import classes from "./data-table.module.css";

const rowHeight = 32;
const nearEndRows = 40;
const estimateSize = () => rowHeight;

/** The content of a table without its columns. */
export interface TableRows<Row> {
  label: string;
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Describes a row to screen readers if its cells do not. */
  rowLabel?: (row: Row) => string;
  /** The number of all rows, loaded or not, unless all are there; "unknown" while there are more of them than are there. */
  total?: number | "unknown" | undefined;
  selected: string | undefined;
  onSelect: (key: string | undefined) => void;
  /** The row that is being edited: it stays rendered while it is out of sight. */
  edited?: string | undefined;
  /** Rows that stay visible above the others; they are also among them. */
  pinned?: readonly Row[];
  /** Rows that appeared while the table was shown: they are marked for a moment. */
  fresh?: ReadonlySet<string>;
  /** Whether the user has scrolled away from the top. */
  onAway?: (away: boolean) => void;
  /** Called when the end of the loaded rows comes near. */
  onNearEnd?: () => void;
  /** A change scrolls the table back to the top. */
  topSignal?: number;
  /** The text that the rows were searched for: it is marked in them. */
  highlight?: string | undefined;
}

interface Props<Row> extends TableRows<Row> {
  table: TableColumns<Row>;
  /** Above the rows. An element, so that it is not rendered again by scrolling, as this component is. */
  head: ReactNode;
}

/**
 * The rows of a table; only visible ones are rendered. Arrow keys move the selection, Escape clears it; `j` and `k`, `]`
 * and `[` move it wherever the focus is.
 */
export function TableGrid<Row>(props: Props<Row>) {
  const { table, rows, rowKey, selected, edited, onSelect, onNearEnd, topSignal } = props;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  useHighlight(scroller, props.highlight);
  const editedIndex = edited === undefined ? -1 : rows.findIndex((row) => rowKey(row) === edited);
  // oxlint-disable-next-line react/incompatible-library -- its result is used here only and never memoised
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize,
    overscan: 4,
    rangeExtractor: (range) => withIndex(defaultRangeExtractor(range), editedIndex),
  });
  const items = virtual.getVirtualItems();
  const last = virtual.range?.endIndex ?? 0;

  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - nearEndRows) onNearEnd?.();
  }, [last, rows.length, onNearEnd]);
  useEffect(() => {
    scroller.current?.scrollTo({ top: 0 });
  }, [topSignal]);

  const selectedIndex = selected === undefined ? -1 : rows.findIndex((row) => rowKey(row) === selected);
  useReveal(virtual, rows.length, selectedIndex);
  const selectedIsRendered = items.some((item) => item.index === selectedIndex);
  const moveTo = (key: string): boolean => {
    const target = keyTarget(key, selectedIndex, rows.length, scroller.current?.clientHeight ?? 0);
    const row = target === undefined ? undefined : rows[target];
    if (target === undefined || row === undefined) return false;
    virtual.scrollToIndex(target);
    onSelect(rowKey(row));
    return true;
  };
  const press = (event: KeyboardEvent) => {
    // The headers' buttons handle their own keys.
    if (event.target !== event.currentTarget) return;
    if (event.key === "Escape") onSelect(undefined);
    else if (moveTo(event.key)) event.preventDefault();
  };
  useRowShortcuts(moveTo);

  return (
    <div
      ref={scroller}
      className={classes.scroller}
      style={table.variables}
      role="grid"
      aria-label={props.label}
      aria-rowcount={props.total === "unknown" ? -1 : (props.total ?? rows.length) + 1}
      aria-activedescendant={selectedIsRendered ? `${id}-${selectedIndex}` : undefined}
      tabIndex={0}
      onKeyDown={press}
      onScroll={(event) => props.onAway?.(event.currentTarget.scrollTop > rowHeight / 2)}
    >
      {props.head}
      <PinnedRows {...props} />
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
              aria-label={props.rowLabel?.(row)}
              aria-rowindex={item.index + 2}
              aria-selected={key === selected}
              className={classes.row}
              data-fresh={props.fresh?.has(key) ?? false}
              // Not moved by a transform, of which the browser would keep one for each row.
              style={{ top: item.start }}
              onClick={() => onSelect(key === selected ? undefined : key)}
            >
              <Cells row={row} columns={table.displayed} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function PinnedRows<Row>({ pinned = [], rowKey, rowLabel, selected, onSelect, table }: Props<Row>) {
  const { t } = useTranslation();
  if (pinned.length === 0) return null;
  return (
    <div role="rowgroup" aria-label={t("common.pinned")} className={classes.pinned}>
      {pinned.map((row) => {
        const key = rowKey(row);
        return (
          <div
            key={key}
            role="row"
            aria-label={rowLabel?.(row)}
            aria-selected={key === selected}
            className={classes.row}
            onClick={() => onSelect(key === selected ? undefined : key)}
          >
            <Cells row={row} columns={table.displayed} />
          </div>
        );
      })}
    </div>
  );
}

/** Scrolls once to the row that an address names; later the user decides. */
function useReveal(virtual: Virtualizer<HTMLDivElement, Element>, count: number, index: number): void {
  const revealed = useRef(false);
  useEffect(() => {
    if (revealed.current || count === 0) return;
    revealed.current = true;
    if (index > 0) virtual.scrollToIndex(index, { align: "center" });
  }, [count, index, virtual]);
}

function useRowShortcuts(moveTo: (key: string) => boolean): void {
  const { t } = useTranslation();
  const next = () => void moveTo("ArrowDown");
  const previous = () => void moveTo("ArrowUp");
  useShortcut("j", t("common.nextRow"), next);
  useShortcut("k", t("common.previousRow"), previous);
  useShortcut("]", t("common.nextRow"), next);
  useShortcut("[", t("common.previousRow"), previous);
}

/** Keeps the order: a row that moves among the others in the document would lose the focus. */
const withIndex = (indexes: number[], index: number): number[] =>
  index < 0 || indexes.includes(index) ? indexes : [...indexes, index].toSorted((one, other) => one - other);

/** The row that a key selects. */
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
