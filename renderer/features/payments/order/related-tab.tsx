import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { listSimMoneyMoves, type SimMoneyMove } from "../../../../server/contract/provider/sim-money-moves.ts";
import type { SimOrder } from "../../../../server/contract/provider/sim-orders.ts";
import { useChangeSearch, usePageNavigate } from "../../../api/address/use-page-navigate.ts";
import { useApi } from "../../../api/use-api.ts";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { QueryFailure } from "../../../ui/dialogs/query-failure.tsx";
import { Fields } from "../../../ui/forms/fields.tsx";
import type { PaymentsSearch } from "../payments-search.ts";
import type { ProductName } from "../products/product-names.ts";
import type { ProductEntry } from "../products/product.ts";
import { products, productsOfOrders } from "../products/products.ts";
import { ProductState } from "../products/state-badge.tsx";
import { CombinedParts } from "./combined-parts.tsx";
import classes from "../products/products.module.css";

const route = getRouteApi("/payments");
const pollMs = 2_000;

/** Everything that other products did with the order, and where its money went. */
export function RelatedTab({ order }: { order: SimOrder }) {
  const { t } = useTranslation();
  const { call } = useApi();
  const of = { mch_id: order.mch_id, out_trade_no: order.out_trade_no };
  const query = useQuery({
    queryKey: ["order", order.out_trade_no, order.mch_id, "related"],
    refetchOnMount: "always",
    refetchInterval: pollMs,
    queryFn: async ({ signal }) => {
      const params = { out_trade_no: order.out_trade_no };
      const [moves, ...lists] = await Promise.all([
        call(listSimMoneyMoves, { params, query: { mch_id: order.mch_id }, signal }),
        ...productsOfOrders.map((name) => products[name].load(call, of, signal)),
      ]);
      return { moves, lists };
    },
  });
  const { data } = query;
  const isAlone = [order.sub_mch_id, order.combine_out_trade_no, order.sub_orders].every((one) => one === undefined);
  const isEmpty = isAlone && data?.moves.length === 0 && data.lists.every((entries) => entries.length === 0);
  return (
    <div className={classes.related}>
      <QueryFailure query={query} />
      {order.sub_mch_id !== undefined && (
        <section aria-label={t("payments.products.partner")}>
          <h3>{t("payments.products.partner")}</h3>
          <Fields
            items={[
              { name: t("payments.products.serviceProvider"), value: order.mch_id, wire: true },
              { name: t("payments.products.subMerchant"), value: order.sub_mch_id, wire: true },
            ]}
          />
        </section>
      )}
      <CombinedParts order={order} />
      {productsOfOrders.map((name, at) => (
        <Entries key={name} name={name} entries={data?.lists[at] ?? []} />
      ))}
      {data && data.moves.length > 0 && <MoneyMoves moves={data.moves} />}
      {isEmpty && <p className={classes.nothing}>{t("payments.products.nothing")}</p>}
    </div>
  );
}

function Entries({ name, entries }: { name: ProductName; entries: readonly ProductEntry[] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const change = useChangeSearch<PaymentsSearch>(usePageNavigate(route));
  if (entries.length === 0) return null;
  const title = t(`payments.products.name.${name}`);
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul className={classes.parts}>
        {entries.map((entry) => (
          <li key={entry.key} className={classes.part}>
            <div className={classes.partHead}>
              <ProductState {...entry} />
              <button
                type="button"
                className={classes.open}
                onClick={() => change({ view: name, item: entry.key, order: undefined, mch: undefined })}
              >
                {entry.number}
              </button>
              {entry.fen !== undefined && <b>{formats.money(entry.fen)}</b>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Each operation with the accounts whose money it moved. */
function MoneyMoves({ moves }: { moves: readonly SimMoneyMove[] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <section aria-label={t("payments.products.moneyMoves")}>
      <h3>{t("payments.products.moneyMoves")}</h3>
      <ul className={classes.parts}>
        {moves.map(({ at, kind, number, lines }, index) => (
          <li key={index} className={classes.part}>
            <div className={classes.partHead}>
              <span className={classes.partText} title={number}>
                {kind}
              </span>
              <time dateTime={at}>{formats.clock(Date.parse(at))}</time>
            </div>
            <dl className={classes.lines}>
              {lines.map(({ account, fen }, line) => (
                <div key={line}>
                  <dt>{account}</dt>
                  <dd data-out={fen < 0}>{formats.money(fen)}</dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </section>
  );
}
