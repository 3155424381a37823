import { NativeSelect, Switch } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { tradeState } from "../../../../server/contract/provider/payment-terms.ts";
import { useChangeSearch, usePageNavigate } from "../../../api/address/use-page-navigate.ts";
import { FilterBar } from "../../../ui/table/filter-bar.tsx";
import { FilterCount } from "../../../ui/table/filter-count.tsx";
import { Segmented } from "../../../ui/forms/segmented.tsx";
import { SplitView } from "../../../ui/table/split-view.tsx";
import { BoardView } from "../board/board-view.tsx";
import type { ListedOrderFilter } from "./load-orders.ts";
import { OrderInspector } from "../order/order-inspector.tsx";
import { useOrderCount } from "./use-orders.ts";
import { rowKey, type ListedOrder } from "./order-row.ts";
import type { PaymentsSearch } from "../payments-search.ts";
import { TableView } from "./table-view.tsx";
import classes from "../payments.module.css";

const route = getRouteApi("/payments");

/** The orders, as a board or a table, and the open one beside them. */
export function OrdersView({ view }: { view: "board" | "table" }) {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = usePageNavigate(route);
  const { side = "merchant", state, q, held, order, mch } = search;
  const change = useChangeSearch<PaymentsSearch>(navigate);
  const [internal, setInternal] = useLocalStorage({
    key: "hearth.payments.internal",
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const filter: ListedOrderFilter = {
    ...{ side, q, internal },
    state: view === "table" ? state : undefined,
    held: held === "true",
  };
  const open =
    order === undefined ? undefined : rowKey({ outTradeNo: order, ...(mch !== undefined && { mchId: mch }) });
  const select = (row: ListedOrder | undefined) => {
    const isOpen = row !== undefined && rowKey(row) === open;
    change(row && !isOpen ? { order: row.outTradeNo, mch: row.mchId } : { order: undefined, mch: undefined });
  };
  const clearFilters = () => change({ state: undefined, q: undefined, held: undefined });
  const isFiltered = filter.state !== undefined || q !== undefined || filter.held;
  const count = useOrderCount(filter, isFiltered).data;
  const rest = {
    filter,
    isFiltered,
    open,
    onOpen: select,
    onClearFilter: clearFilters,
    onNew: () => change({ place: "NATIVE" }),
  };
  return (
    <SplitView
      title={order}
      onClose={() => select(undefined)}
      inspector={order !== undefined && <OrderInspector key={open} name={{ number: order, mchId: mch }} />}
    >
      <div className={classes.filters}>
        <Segmented
          label={t("payments.whose")}
          value={side}
          choices={(["merchant", "provider"] as const).map((value) => ({ value, label: t(`payments.of.${value}`) }))}
          onChange={(next) =>
            change({ side: next === "provider" ? next : undefined, held: undefined, order: undefined, mch: undefined })
          }
        />
        {isFiltered && (
          <span className={classes.count}>
            <FilterCount matched={count?.total} all={count?.stored} onClear={clearFilters} />
          </span>
        )}
        <FilterBar label={t("payments.find")} text={q} onText={(text) => change({ q: text })}>
          {view === "table" && (
            <NativeSelect
              aria-label="trade_state"
              value={state ?? ""}
              onChange={(event) =>
                change({ state: tradeState.options.find((one) => one === event.currentTarget.value) })
              }
              data={[{ value: "", label: t("payments.allStates") }, ...tradeState.options]}
            />
          )}
          {side === "merchant" && (
            <Switch
              label={t("payments.onlyHeld")}
              checked={held === "true"}
              onChange={(event) => change({ held: event.currentTarget.checked ? "true" : undefined })}
            />
          )}
          <Switch
            label={t("payments.showInternal")}
            wrapperProps={{ title: t("payments.internalHint") }}
            checked={internal}
            onChange={(event) => setInternal(event.currentTarget.checked)}
          />
        </FilterBar>
      </div>
      {view === "board" ? (
        <BoardView {...rest} onShowAll={(wanted) => change({ view: "table", state: wanted })} />
      ) : (
        <TableView {...rest} sort={search.sort} onSort={(sort) => change({ sort })} />
      )}
    </SplitView>
  );
}
