import { Button } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { usePageNavigate } from "../../api/address/use-page-navigate.ts";
import { Page } from "../../ui/page.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { PlatformKeysMenu } from "./merchants/platform-keys-menu.tsx";
import { NewOrderForm } from "./new-order/new-order.tsx";
import { OrderFeedContext, useNewOrderFeed } from "./list/order-feed-context.ts";
import { OrdersView } from "./list/orders-view.tsx";
import type { PaymentsSearch } from "./payments-search.ts";
import { productNames } from "./products/product-names.ts";
import { ProductTabs } from "./products/product-tabs.tsx";
import { ProductView } from "./products/product-view.tsx";
import { ReceiverView } from "./receiver/receiver-view.tsx";

const route = getRouteApi("/payments");
const views = ["board", "table", "receiver"] as const;

/** Orders of both sides and other products with their actions, and the check of a receiver; the view is in the address. */
export function PaymentsPanel() {
  const { t } = useTranslation();
  const { view = "board", place } = route.useSearch();
  const navigate = usePageNavigate(route);
  const feed = useNewOrderFeed();
  const product = productNames.find((name) => name === view);
  return (
    <OrderFeedContext value={feed}>
      <Page
        title={t("payments.title")}
        fill
        note={
          product === undefined && (
            <Segmented
              label={t("payments.views")}
              value={views.find((one) => one === view) ?? "board"}
              choices={views.map((value) => ({ value, label: t(`payments.view.${value}`) }))}
              onChange={(next) =>
                void navigate({ search: (search) => ({ ...search, view: next === "board" ? undefined : next }) })
              }
            />
          )
        }
        controls={
          <>
            <PlatformKeysMenu />
            <Button
              variant="filled"
              leftSection={<Plus size={14} aria-hidden />}
              onClick={() => void navigate({ search: (search) => ({ ...search, place: "NATIVE" }) })}
            >
              {t("payments.newOrder")}
            </Button>
          </>
        }
      >
        <ProductTabs product={product} onProduct={(view) => void navigate({ search: { view } })} />
        <View view={view} />
      </Page>
      {place !== undefined && (
        <NewOrderForm
          type={place}
          onType={(type) => void navigate({ search: (search) => ({ ...search, place: type }), replace: true })}
          onClose={() => void navigate({ search: (search) => ({ ...search, place: undefined }), replace: true })}
          onPlaced={(order) =>
            void navigate({
              // By then the form may have been closed, and something else opened, which stays.
              search: (held) =>
                held.place === undefined
                  ? held
                  : { view: held.view === "table" ? held.view : undefined, side: held.side, order },
            })
          }
        />
      )}
    </OrderFeedContext>
  );
}

function View({ view }: { view: NonNullable<PaymentsSearch["view"]> | "board" }) {
  if (view === "board" || view === "table") return <OrdersView view={view} />;
  return view === "receiver" ? <ReceiverView /> : <ProductView key={view} name={view} />;
}
