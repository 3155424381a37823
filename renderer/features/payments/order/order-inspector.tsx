import { Tabs } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { Suspense, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { usePageNavigate } from "../../../api/address/use-page-navigate.ts";
import { Notice } from "../../../ui/dialogs/notice.tsx";
import { QueryFailure } from "../../../ui/dialogs/query-failure.tsx";
import { lazyPagePart } from "../../../ui/lazy-part.ts";
import { ControlsTab } from "../controls/controls-tab.tsx";
import { RefundsNote } from "../controls/refunds-note.tsx";
import { HistoryTab } from "../history/history-tab.tsx";
import { orderHistoryOf } from "../history/order-history.ts";
import { HeadAction } from "./head-action.tsx";
import { OrderHead } from "./order-head.tsx";
import { PayBlock } from "../new-order/pay-block.tsx";
import { RecordTab } from "./record-tab.tsx";
import { RelatedTab } from "./related-tab.tsx";
import { useActionsLog } from "../controls/use-actions-log.ts";
import { useOrder, type OrderIdentity } from "./use-order.ts";
import classes from "../payments.module.css";

const StatesTab = lazyPagePart(
  () => import("../states/states-tab.tsx"),
  (file) => file.StatesTab,
);
const route = getRouteApi("/payments");
const tabs = ["history", "controls", "related", "states", "record"] as const;
type TabName = (typeof tabs)[number];

/** An order with both its halves: the merchant's and the provider's. */
export function OrderInspector({ name }: { name: OrderIdentity }) {
  const { t } = useTranslation();
  const { tab: named, half } = route.useSearch();
  const tab = tabs.find((one) => one === named) ?? "history";
  const navigate = usePageNavigate(route);
  const { merchant, provider, refresh } = useOrder(name);
  const log = useActionsLog(async () => void (await refresh()));
  const items = useMemo(
    () => orderHistoryOf(merchant.data ?? null, provider.data ?? null),
    [merchant.data, provider.data],
  );
  const show = (next: TabName) =>
    void navigate({ search: (search) => ({ ...search, tab: next === "history" ? undefined : next }), replace: true });

  const failed = merchant.error ? merchant : provider;
  if (failed.error && !merchant.data && !provider.data) return <QueryFailure query={failed} />;
  if (merchant.isPending || provider.isPending) return null;
  if (!merchant.data && !provider.data)
    return <Notice kind="info">{t("payments.unknownOrder", { number: name.number })}</Notice>;
  const state = provider.data?.order.trade_state ?? merchant.data?.trade_state ?? "NOTPAY";
  const type = provider.data?.order.trade_type ?? merchant.data?.trade_type ?? "JSAPI";
  return (
    <div className={classes.inspector}>
      <OrderHead
        merchant={merchant.data ?? null}
        provider={provider.data ?? null}
        action={
          <HeadAction
            merchant={merchant.data ?? null}
            provider={provider.data ?? null}
            log={log}
            onControls={() => show("controls")}
          />
        }
      />
      <QueryFailure query={failed} />
      {provider.data && <PayBlock order={provider.data.order} />}
      <Tabs value={tab} onChange={(next) => show(tabs.find((one) => one === next) ?? "history")}>
        <Tabs.List>
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`payments.tab.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <div className={classes.tabBody}>
          <Tabs.Panel value="history">
            <HistoryTab
              items={items}
              half={half}
              onHalf={(next) => void navigate({ search: (search) => ({ ...search, half: next }), replace: true })}
            />
          </Tabs.Panel>
          <Tabs.Panel value="controls">
            <ControlsTab merchant={merchant.data ?? null} provider={provider.data ?? null} log={log} />
          </Tabs.Panel>
          <Tabs.Panel value="related">
            {provider.data ? (
              <RelatedTab order={provider.data.order} />
            ) : (
              <p className={classes.dim}>{t("payments.providerOnly")}</p>
            )}
          </Tabs.Panel>
          <Tabs.Panel value="states">
            <Suspense>
              <StatesTab
                state={state}
                type={type}
                note={merchant.data && <RefundsNote order={merchant.data} className={classes.dim} />}
              />
            </Suspense>
          </Tabs.Panel>
          <Tabs.Panel value="record">
            <RecordTab merchant={merchant.data ?? null} provider={provider.data ?? null} />
          </Tabs.Panel>
        </div>
      </Tabs>
    </div>
  );
}
