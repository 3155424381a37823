import { useTranslation } from "react-i18next";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { OrderCard } from "./order-card.tsx";
import { rowKey, type ListedOrder } from "../list/order-row.ts";
import { stateStyles } from "../trade-state-badge.tsx";
import type { BoardColumn } from "../list/use-orders.ts";
import classes from "./board.module.css";

interface BoardProps {
  columns: readonly BoardColumn[];
  open: string | undefined;
  onOpen: (row: ListedOrder) => void;
  /** Shows all orders of a state as a table. */
  onShowAll: (state: BoardColumn["state"]) => void;
}

/** A column for each trade_state, with the newest of its orders. Where there is little room, empty ones are strips. */
export function Board({ columns, ...rest }: BoardProps) {
  const { t } = useTranslation();
  const tracks = columns.map(({ rows }) => (rows.length > 0 ? "minmax(164px, 1fr)" : "var(--empty-column)"));
  return (
    <div className={classes.frame}>
      <div
        className={classes.board}
        style={{ gridTemplateColumns: tracks.join(" ") }}
        role="group"
        aria-label={t("payments.board")}
        tabIndex={0}
      >
        {columns.map((column) => (
          <Column key={column.state} column={column} {...rest} />
        ))}
      </div>
    </div>
  );
}

function Column({ column, open, onOpen, onShowAll }: { column: BoardColumn } & Omit<BoardProps, "columns">) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { state, rows, count, isExact, amount } = column;
  const { icon: Icon, tone } = stateStyles[state];
  const counted = isExact ? formats.number(count) : `${formats.number(count)}+`;
  return (
    <section
      className={classes.column}
      data-empty={rows.length === 0}
      title={rows.length === 0 ? t(`payments.means.${state}`) : undefined}
      aria-label={t("payments.columnOf", { state, count, orders: counted })}
    >
      <header className={classes.columnHead}>
        <Icon size={14} aria-hidden className={classes.icon} data-tone={tone} />
        <h2 className={classes.state}>{state}</h2>
        <span className={classes.count}>{counted}</span>
        {amount !== undefined && <span className={classes.sum}>{formats.money(amount)}</span>}
      </header>
      {rows.length === 0 ? (
        <p className={classes.none}>{t(`payments.means.${state}`)}</p>
      ) : (
        <ul className={classes.cards}>
          {rows.map((row) => (
            <OrderCard key={rowKey(row)} row={row} isOpen={rowKey(row) === open} onOpen={onOpen} />
          ))}
        </ul>
      )}
      {(!isExact || count > rows.length) && (
        <button type="button" className={classes.all} onClick={() => onShowAll(state)}>
          {t("payments.showAll", { orders: counted })}
        </button>
      )}
    </section>
  );
}
