import { Button } from "@mantine/core";
import type { TFunction } from "i18next";
import type { Formats } from "../../../i18n/formats.ts";
import { RowTime } from "../../../ui/marks/row-time.tsx";
import type { Column } from "../../../ui/table/table-columns.ts";
import { BuyerName } from "../list/buyer-name.tsx";
import type { Product, ProductAction, ProductEntry } from "./product.ts";
import { ProductState } from "./state-badge.tsx";
import classes from "../payments.module.css";

/** The columns fit beside an open panel at the usual width of a laptop. */
export const productColumns = (
  product: Product,
  t: TFunction,
  formats: Formats,
  onRun: (action: ProductAction) => void,
): Column<ProductEntry>[] =>
  allColumns(product, t, formats, onRun).filter(({ key }) => product.without?.includes(key) !== true);

const allColumns = (
  { numberField }: Product,
  t: TFunction,
  formats: Formats,
  onRun: (action: ProductAction) => void,
): Column<ProductEntry>[] => [
  {
    key: "state",
    header: t("payments.products.state"),
    track: "minmax(106px, 172px)",
    sortBy: ({ state }) => state,
    cell: (entry) => <ProductState {...entry} />,
  },
  {
    key: numberField,
    header: numberField,
    track: "minmax(90px, 1fr)",
    sortBy: ({ number }) => number,
    cell: ({ number }) => <span className={classes.wire}>{number}</span>,
  },
  {
    key: "mch_id",
    header: "mch_id",
    track: "80px",
    wideOnly: true,
    sortBy: ({ mchId }) => mchId,
    cell: ({ mchId }) => <span className={classes.wire}>{mchId}</span>,
  },
  {
    key: "user",
    header: t("payments.products.user"),
    track: "64px",
    wideOnly: true,
    cell: ({ openid }) => openid !== undefined && <BuyerName row={{ openid }} />,
  },
  {
    key: "amount",
    header: t("payments.amount"),
    track: "80px",
    align: "end",
    sortBy: ({ fen }) => fen,
    cell: ({ fen }) => (fen === undefined ? "" : formats.money(fen)),
  },
  {
    key: "at",
    header: t("payments.products.time"),
    track: "92px",
    wideOnly: true,
    sortBy: ({ at }) => at,
    cell: ({ at }) => at !== undefined && <RowTime iso={at} />,
  },
  {
    key: "action",
    header: t("payments.products.action"),
    track: "110px",
    wideOnly: true,
    cell: ({ actions: [action] }) =>
      action && (
        <Button
          size="compact-xs"
          // Acting must not also open the row.
          onClick={(event) => {
            event.stopPropagation();
            onRun(action);
          }}
        >
          {t(`payments.products.actions.${action.name}`)}
        </Button>
      ),
  },
];
