import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import { QueryFailure } from "../../../ui/dialogs/query-failure.tsx";
import { tableSort } from "../../../ui/table/table-sort.ts";
import type { OrderSort } from "./load-orders.ts";
import { orderColumns } from "./order-columns.tsx";
import { rowKey } from "./order-row.ts";
import type { OrdersProps } from "./orders-props.ts";
import { PaymentsEmpty } from "../payments-empty.tsx";
import { useOrders } from "./use-orders.ts";

/** All matching orders, page by page while the reader scrolls. */
export function TableView(props: OrdersProps & { sort: OrderSort; onSort: (sort: OrderSort) => void }) {
  const { filter, isFiltered, open, onOpen, onClearFilter, onNew, sort, onSort } = props;
  const { t } = useTranslation();
  const formats = useFormats();
  const { list, query, loadOlder } = useOrders(filter, sort);
  const columns = useMemo(() => orderColumns(t, formats), [t, formats]);
  const rows = list?.rows ?? noRows;
  return (
    <>
      <QueryFailure query={query} />
      {list && rows.length === 0 ? (
        <PaymentsEmpty filtered={isFiltered} onClear={onClearFilter} onNew={onNew} />
      ) : (
        <DataTable
          label={t("payments.table")}
          columns={columns}
          rows={rows}
          highlight={filter.q}
          rowKey={rowKey}
          {...tableSort(sort, "-created_at", onSort)}
          total={list?.total}
          selected={open}
          onSelect={(key) => onOpen(rows.find((row) => rowKey(row) === key))}
          onNearEnd={() => void loadOlder()}
        />
      )}
    </>
  );
}

const noRows: never[] = [];
