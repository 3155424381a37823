import { Button, Menu, Tabs } from "@mantine/core";
import { ChevronDown } from "lucide-react";
import { useTranslation } from "react-i18next";
import { productNames, type ProductName } from "./product-names.ts";
import { useUsedProducts } from "./use-products.ts";
import { usePushReceiver } from "./use-push-receiver.ts";
import classes from "./products.module.css";

const orders = "orders";

/** Orders, and the products that were used; the menu opens the others. */
export function ProductTabs(props: {
  product: ProductName | undefined;
  onProduct: (product: ProductName | undefined) => void;
}) {
  const { t } = useTranslation();
  const { product, onProduct } = props;
  const used = useUsedProducts();
  const { data: receiver } = usePushReceiver();
  const isShown = (name: ProductName) =>
    used.includes(name) || name === product || (name === "pushes" && Boolean(receiver));
  const others = productNames.filter((name) => !isShown(name));
  return (
    <div className={classes.tabs}>
      <Tabs
        value={product ?? orders}
        onChange={(next) => onProduct(productNames.find((name) => name === next))}
        className={classes.tabList ?? ""}
      >
        <Tabs.List aria-label={t("payments.products.tabs")}>
          <Tabs.Tab value={orders}>{t("payments.products.orders")}</Tabs.Tab>
          {productNames.filter(isShown).map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`payments.products.name.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      {others.length > 0 && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button
              className={classes.more ?? ""}
              size="compact-sm"
              variant="subtle"
              color="gray"
              rightSection={<ChevronDown size={13} aria-hidden />}
            >
              {t("payments.products.more")}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map((name) => (
              <Menu.Item key={name} onClick={() => onProduct(name)}>
                {t(`payments.products.name.${name}`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  );
}
