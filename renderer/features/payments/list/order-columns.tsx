import type { TFunction } from "i18next";
import type { Formats } from "../../../i18n/formats.ts";
import type { Column } from "../../../ui/table/table-columns.ts";
import { RowTime } from "../../../ui/marks/row-time.tsx";
import { BuyerName } from "./buyer-name.tsx";
import { markOf } from "./order-mark.ts";
import type { ListedOrder } from "./order-row.ts";
import { TradeStateBadge } from "../trade-state-badge.tsx";
import classes from "../payments.module.css";

export const orderColumns = (t: TFunction, formats: Formats): Column<ListedOrder>[] => [
  {
    key: "trade_state",
    header: "trade_state",
    track: "118px",
    sortable: true,
    cell: (row) => <TradeStateBadge state={row.state} />,
  },
  {
    key: "out_trade_no",
    sortable: true,
    header: "out_trade_no",
    track: "minmax(120px, 240px)",
    wideOnly: true,
    cell: (row) => <span className={classes.wire}>{row.outTradeNo}</span>,
  },
  {
    key: "description",
    header: t("payments.description"),
    track: "minmax(90px, 1fr)",
    sortable: true,
    cell: (row) => row.description,
  },
  { key: "buyer", header: t("payments.buyer"), track: "96px", wideOnly: true, cell: (row) => <BuyerName row={row} /> },
  {
    key: "trade_type",
    sortable: true,
    header: "trade_type",
    track: "84px",
    wideOnly: true,
    cell: (row) => <span className={classes.wire}>{row.type}</span>,
  },
  {
    key: "mark",
    header: t("payments.marks"),
    track: "minmax(96px, 190px)",
    narrowTrack: "14px",
    cell: (row) => <Mark row={row} t={t} />,
  },
  {
    key: "amount",
    sortable: true,
    header: t("payments.amount"),
    track: "92px",
    narrowTrack: "80px",
    align: "end",
    cell: (row) => formats.money(row.amount),
  },
  {
    key: "created_at",
    header: t("payments.placed"),
    track: "96px",
    sortable: true,
    cell: (row) => <RowTime iso={row.createdAt} />,
  },
];

function Mark({ row, t }: { row: ListedOrder; t: TFunction }) {
  const mark = markOf(row, t);
  if (!mark) return null;
  const { icon: Icon, text, hint = text, isBad } = mark;
  return (
    <span className={classes.mark} data-bad={isBad} title={hint}>
      <Icon size={12} aria-hidden />
      <span>{text}</span>
    </span>
  );
}
