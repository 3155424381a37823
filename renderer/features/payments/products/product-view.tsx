import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useChangeSearch, usePageNavigate } from "../../../api/address/use-page-navigate.ts";
import { useShowFailure } from "../../../api/actions/use-show-failure.ts";
import { useApi } from "../../../api/use-api.ts";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { Notice } from "../../../ui/dialogs/notice.tsx";
import { QueryFailure } from "../../../ui/dialogs/query-failure.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import { SplitView } from "../../../ui/table/split-view.tsx";
import type { PaymentsSearch } from "../payments-search.ts";
import { productColumns } from "./product-columns.tsx";
import { ProductEmpty } from "./product-empty.tsx";
import type { ProductName } from "./product-names.ts";
import { ProductPanel } from "./product-panel.tsx";
import type { ProductAction, ProductEntry } from "./product.ts";
import { products } from "./products.ts";
import { PushReceiver } from "./push-receiver.tsx";
import { useEntries, useRefreshProducts } from "./use-products.ts";

const route = getRouteApi("/payments");
const keyOf = ({ key }: ProductEntry) => key;

/** A product's entries as a table, and the open one beside them. */
export function ProductView({ name }: { name: ProductName }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { call } = useApi();
  const { item } = route.useSearch();
  const change = useChangeSearch<PaymentsSearch>(usePageNavigate(route));
  const query = useEntries(name);
  const refresh = useRefreshProducts();
  const showFailure = useShowFailure();
  const run = (action: ProductAction) => void action.run(call).then(refresh, showFailure);
  const columns = productColumns(products[name], t, formats, run);
  const entries = query.data;
  const open = entries?.find(({ key }) => key === item);
  return (
    <SplitView
      title={item === undefined ? undefined : (open?.number ?? item)}
      onClose={() => change({ item: undefined })}
      inspector={
        open ? (
          <ProductPanel key={open.key} name={name} entry={open} />
        ) : (
          entries && <Notice kind="info">{t("payments.products.gone")}</Notice>
        )
      }
    >
      {name === "pushes" && <PushReceiver />}
      <QueryFailure query={query} />
      {entries?.length === 0 ? (
        <ProductEmpty name={name} />
      ) : (
        entries && (
          <DataTable
            label={t(`payments.products.name.${name}`)}
            columns={columns}
            rows={entries}
            rowKey={keyOf}
            selected={item}
            onSelect={(key) => change({ item: key === item ? undefined : key })}
          />
        )
      )}
    </SplitView>
  );
}
