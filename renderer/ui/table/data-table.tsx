import { useMemo, useState } from "react";
import { ColumnsMenu } from "./columns-menu.tsx";
import { useTableColumns, type Column } from "./table-columns.ts";
import { TableGrid, type TableRows } from "./table-grid.tsx";
import { TableHead } from "./table-head.tsx";
import { sortRows } from "./table-sort.ts";
import classes from "./data-table.module.css";

interface DataTableProps<Row> extends TableRows<Row> {
  columns: readonly Column<Row>[];
  /** The order of the rows: `size` or `-size`. Without `onSort` the table sorts by its columns' `sortBy` once all are there. */
  sort?: string | undefined;
  onSort?: (sort: string) => void;
}

/** A dense table whose columns can be hidden, sized and sorted by. */
export function DataTable<Row>({ columns, sort, onSort, ...props }: DataTableProps<Row>) {
  const table = useTableColumns(columns);
  const [ownSort, setOwnSort] = useState<string>();
  const isComplete = props.total === undefined || props.total === props.rows.length;
  const chosen = onSort || !isComplete ? undefined : ownSort;
  const rows = useMemo(() => sortRows(props.rows, columns, chosen), [props.rows, columns, chosen]);
  const choose = onSort ?? (isComplete ? setOwnSort : undefined);
  return (
    <div className={classes.frame}>
      <TableGrid
        {...props}
        rows={rows}
        table={table}
        head={<TableHead table={table} sort={onSort ? sort : chosen} onSort={choose} />}
      />
      <ColumnsMenu columns={columns} table={table} />
    </div>
  );
}
