import { ArrowDown, ArrowUp } from "lucide-react";
import type { PointerEvent } from "react";
import { sortParts } from "../../../server/contract/sort.ts";
import { cellData } from "./table-cells.tsx";
import { nextSort } from "./table-sort.ts";
import type { Column, TableColumns } from "./table-columns.ts";
import classes from "./data-table.module.css";

/** The row of headers. Dragging an edge sets a width; a double click resets it. */
export function TableHead<Row>(props: {
  table: TableColumns<Row>;
  /** `size` or `-size`. */
  sort: string | undefined;
  /** Absent where the rows cannot be sorted. */
  onSort: ((sort: string) => void) | undefined;
}) {
  const { table, sort, onSort } = props;
  const { name, descending } = sortParts(sort ?? "");
  return (
    <div role="row" aria-rowindex={1} className={classes.head}>
      {table.displayed.map((column) => {
        const isSortable = onSort && (column.sortable || column.sortBy);
        const ordered =
          name === column.key ? (descending ? "descending" : "ascending") : isSortable ? "none" : undefined;
        return (
          <div
            key={column.key}
            role="columnheader"
            aria-sort={ordered}
            className={classes.headCell}
            {...cellData(column)}
          >
            {isSortable ? (
              <button type="button" className={classes.sort} onClick={() => onSort(nextSort(sort, column))}>
                <span className={classes.headText}>{column.header}</span>
                {ordered === "ascending" && <ArrowUp size={12} aria-hidden />}
                {ordered === "descending" && <ArrowDown size={12} aria-hidden />}
              </button>
            ) : (
              <span className={classes.headText}>{column.header}</span>
            )}
            <ColumnEdge column={column} table={table} />
          </div>
        );
      })}
    </div>
  );
}

function ColumnEdge<Row>({ column, table }: { column: Column<Row>; table: TableColumns<Row> }) {
  const drag = (event: PointerEvent<HTMLSpanElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const cell = event.currentTarget.parentElement?.getBoundingClientRect();
    if (cell) table.setWidth(column.key, event.clientX - cell.left);
  };
  return (
    <span
      className={classes.edge}
      aria-hidden
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={drag}
      onDoubleClick={() => table.setWidth(column.key, undefined)}
    />
  );
}
