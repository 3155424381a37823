/** The visible columns of a table and their widths: the user's choice, stored in the browser per table. */
import {
  columnSizingFeature,
  columnVisibilityFeature,
  tableFeatures,
  useTable,
  type ColumnSizingState,
  type ColumnVisibilityState,
  type Updater,
} from "@tanstack/react-table";
import { useLocalStorage } from "@mantine/hooks";
import { useMemo, type CSSProperties, type ReactNode } from "react";

export interface Column<Row> {
  key: string;
  header: string;
  /** A grid track: "96px", "minmax(120px, 1fr)". */
  track: string;
  /** The track in a narrow table, if it differs. */
  narrowTrack?: string;
  /** Hidden in a narrow table. */
  wideOnly?: boolean;
  align?: "end";
  /** Whether the page can sort the rows by it: the header is a button then. */
  sortable?: boolean;
  /** The value to sort by in a table with all rows at hand. */
  sortBy?: (row: Row) => string | number | undefined;
  cell: (row: Row) => ReactNode;
}

export const narrowestColumn = 48;
const widestColumn = 1_200;
const gaps = { wide: 16, narrow: 12 };
const paddings = { wide: 60, narrow: 50 };

// Rows are not passed in: 100,000 row objects, re-created on each event, would cost more than the table.
const features = tableFeatures({ columnSizingFeature, columnVisibilityFeature });
const noRows: never[] = [];

interface Chosen {
  sizes: ColumnSizingState;
  visible: ColumnVisibilityState;
}
const defaults: Chosen = { sizes: {}, visible: {} };

export interface TableColumns<Row> {
  displayed: readonly Column<Row>[];
  /** CSS variables with the grid tracks, and the width below which the table scrolls horizontally. */
  variables: CSSProperties;
  isShown(key: string): boolean;
  show(key: string, visible: boolean): void;
  /** In pixels; absent: the table decides. */
  widthOf(key: string): number | undefined;
  setWidth(key: string, pixels: number | undefined): void;
  isChanged: boolean;
  reset: () => void;
}

export function useTableColumns<Row>(columns: readonly Column<Row>[]): TableColumns<Row> {
  // A table is identified by its columns, whatever the language of its label.
  const name = columns.map((column) => column.key).join(".");
  const [chosen, setChosen] = useLocalStorage<Chosen>({
    key: `hearth.table.${name}`,
    defaultValue: defaults,
    getInitialValueInEffect: false,
  });
  const table = useTable({
    features,
    data: noRows,
    columns: useMemo(
      () => columns.map(({ key }) => ({ id: key, minSize: narrowestColumn, maxSize: widestColumn })),
      [columns],
    ),
    state: { columnSizing: chosen.sizes, columnVisibility: chosen.visible },
    onColumnSizingChange: (next) => setChosen((before) => ({ ...before, sizes: updated(next, before.sizes) })),
    onColumnVisibilityChange: (next) => setChosen((before) => ({ ...before, visible: updated(next, before.visible) })),
  });
  const { sizes, visible } = chosen;
  const visibleColumns = useMemo(() => columns.filter(({ key }) => visible[key] !== false), [columns, visible]);
  const widthOf = (key: string) => (key in sizes ? table.getColumn(key)?.getSize() : undefined);
  const trackOf = (column: Column<Row>, track: string) => {
    const width = widthOf(column.key);
    return width === undefined ? track : `${width}px`;
  };
  return {
    displayed: visibleColumns,
    variables: {
      ...sideVariables(
        "wide",
        visibleColumns.map((column) => trackOf(column, column.track)),
      ),
      ...sideVariables(
        "narrow",
        visibleColumns
          .filter((column) => !column.wideOnly)
          .map((column) => trackOf(column, column.narrowTrack ?? column.track)),
      ),
    },
    isShown: (key) => visible[key] !== false,
    show: (key, show) => table.getColumn(key)?.toggleVisibility(show),
    widthOf,
    setWidth: (key, pixels) => {
      if (pixels === undefined) table.getColumn(key)?.resetSize();
      else table.setColumnSizing((before) => ({ ...before, [key]: Math.round(pixels) }));
    },
    isChanged: Object.keys(sizes).length > 0 || Object.values(visible).includes(false),
    reset: () => setChosen(defaults),
  };
}

const updated = <Value>(next: Updater<Value>, before: Value): Value => (next instanceof Function ? next(before) : next);

/** A track's minimum width is its first length: 120 for "minmax(120px, 1fr)". */
const leastOf = (track: string) => Number(/(\d{1,5})px/.exec(track)?.[1] ?? narrowestColumn);

function sideVariables(side: "wide" | "narrow", tracks: readonly string[]): Record<string, string> {
  const least = tracks.map(leastOf).reduce((sum, pixels) => sum + pixels, 0);
  const between = gaps[side] * Math.max(0, tracks.length - 1) + paddings[side];
  return { [`--tracks-${side}`]: tracks.join(" "), [`--least-${side}`]: `${least + between}px` };
}
