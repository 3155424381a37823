import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import { QueryFailure } from "../../../ui/dialogs/query-failure.tsx";
import { orderColumns } from "./order-columns.tsx";
import { rowKey } from "./order-row.ts";
import type { OrdersProps } from "./orders-props.ts";
import { PaymentsEmpty } from "../payments-empty.tsx";
import { useOrders } from "./use-orders.ts";

/** All matching orders, page by page while the reader scrolls. */
export function TableView({ filter, isFiltered, open, onOpen, onClearFilter, onNew }: OrdersProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { list, query, loadOlder } = useOrders(filter);
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
          total={list?.total ?? (list?.complete === false ? "unknown" : undefined)}
          selected={open}
          onSelect={(key) => onOpen(rows.find((row) => rowKey(row) === key))}
          onNearEnd={() => void loadOlder()}
        />
      )}
    </>
  );
}

const noRows: never[] = [];
