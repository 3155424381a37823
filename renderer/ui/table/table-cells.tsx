import { memo, type ReactNode } from "react";
import type { Column } from "./table-columns.ts";
import classes from "./data-table.module.css";

/** A row's cells, memoized: a storm of events constantly changes a row's position, but not its content. */
export const Cells = memo(function Cells<Row>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) {
  return columns.map((column) => (
    <div key={column.key} role="gridcell" className={classes.cell} {...cellData(column)}>
      {bounded(column.cell(row))}
    </div>
  ));
}) as <Row>(props: { row: Row; columns: readonly Column<Row>[] }) => ReactNode;

const longestCell = 500;

/** A cell is narrow, and laying out a long text that somebody else wrote takes time. */
const bounded = (content: ReactNode): ReactNode =>
  typeof content === "string" && content.length > longestCell ? `${content.slice(0, longestCell)}…` : content;

export const cellData = (column: { wideOnly?: boolean; align?: "end" }) => ({
  "data-wide-only": column.wideOnly ?? false,
  "data-align": column.align,
});
