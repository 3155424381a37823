import { ColumnsMenu } from "./columns-menu.tsx";
import { useTableColumns, type Column } from "./table-columns.ts";
import { TableGrid, type TableRows } from "./table-grid.tsx";
import { TableHead, type Sort } from "./table-head.tsx";
import classes from "./data-table.module.css";

interface DataTableProps<Row> extends TableRows<Row> {
  columns: readonly Column<Row>[];
  /** The order of the rows, if the user can choose it. */
  sort?: Sort | undefined;
  onSort?: (sort: Sort) => void;
}

/** A dense table whose columns can be hidden and sized. */
export function DataTable<Row>({ columns, sort, onSort, ...rows }: DataTableProps<Row>) {
  const table = useTableColumns(columns);
  return (
    <div className={classes.frame}>
      <TableGrid {...rows} table={table} head={<TableHead table={table} sort={sort} onSort={onSort} />} />
      <ColumnsMenu columns={columns} table={table} />
    </div>
  );
}
