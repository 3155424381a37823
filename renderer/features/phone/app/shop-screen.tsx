import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import type { TradeState } from "../../../../server/contract/provider/payment-terms.ts";
import { orderSchema, orderSummarySchema, type ApiOrder } from "../../../../server/contract/app/payments.ts";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { Badge, type Tone } from "../../../ui/marks/badge.tsx";
import { AppFailure } from "./app-failure.tsx";
import { AppWaiting } from "./app-waiting.tsx";
import { askFor } from "./ask-server.ts";
import { isPaidInApp, paymentRefusal } from "./in-app-payment.ts";
import type { SimulatedPhone } from "../phone.ts";
import { useAppQuery } from "./use-app-query.ts";
import { useTask } from "./use-task.ts";
import classes from "./app.module.css";

const goods = [
  { name: "greenTea", amount: 1990 },
  { name: "oolong", amount: 2450 },
  { name: "matcha", amount: 3800 },
] as const;
const tones: Partial<Record<TradeState, Tone>> = {
  SUCCESS: "up",
  NOTPAY: "busy",
  USERPAYING: "busy",
  PAYERROR: "down",
};

export function ShopScreen({ phone }: { phone: SimulatedPhone }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const buying = useTask();
  const orders = useAppQuery(phone, "orders", () =>
    askFor(phone, z.array(orderSummarySchema), ["GET", "/api/orders?page_size=5"]),
  );

  const fetchOrder = (id: number) => askFor(phone, orderSchema, ["GET", `/api/orders/${String(id)}`]);
  /** The platform's result proves nothing: only the server's answer says whether it is paid. */
  async function payFor(order: ApiOrder) {
    const reason = order.pay && paymentRefusal(await phone.requestPayment(order.pay, order));
    const { trade_state } = await fetchOrder(order.id);
    await orders.refresh();
    if (reason !== undefined) throw new Error(t("phone.paymentRefused", { reason }));
    if (!order.pay && trade_state === "NOTPAY") throw new Error(t("phone.notPayable"));
  }
  const buy = (description: string, amount: number) =>
    buying.run(async () => {
      phone.tap("buy");
      const order = await askFor(phone, orderSchema, ["POST", "/api/orders", { description, amount }]);
      await payFor(order);
    });
  const pay = (id: number) =>
    buying.run(async () => {
      phone.tap("pay");
      await payFor(await fetchOrder(id));
    });

  const failure = buying.failure ?? orders.failure;
  return (
    <section className={classes.screen} aria-labelledby="phone-shop">
      <header className={classes.head}>
        <h2 id="phone-shop">{t("phone.screens.shop")}</h2>
      </header>
      <ul className={classes.list}>
        {goods.map(({ name, amount }) => (
          <li key={name} className={classes.row}>
            <span>
              <strong>{t(`phone.goods.${name}`)}</strong>
              <span className={classes.dim}>{formats.money(amount)}</span>
            </span>
            <Button disabled={buying.busy} onClick={() => void buy(t(`phone.goods.${name}`), amount)}>
              {t("phone.buy")}
            </Button>
          </li>
        ))}
      </ul>
      {failure && <AppFailure failure={failure} onRetry={buying.failure ? undefined : orders.reload} />}
      {orders.data === undefined && orders.loading && <AppWaiting />}
      {orders.data && orders.data.length > 0 && (
        <>
          <h3>{t("phone.myOrders")}</h3>
          <ul className={classes.list}>
            {orders.data.map(({ id, description, amount, trade_state, trade_type }) => (
              <li key={id} className={classes.row}>
                <span>
                  <strong>{description}</strong>
                  <span className={classes.dim}>{formats.money(amount)}</span>
                </span>
                {trade_state === "NOTPAY" &&
                  (isPaidInApp(trade_type) ? (
                    <Button disabled={buying.busy} onClick={() => void pay(id)}>
                      {t("phone.pay")}
                    </Button>
                  ) : (
                    <span className={classes.dim}>{t(`phone.paidElsewhere.${trade_type}`)}</span>
                  ))}
                <Badge tone={tones[trade_state] ?? "neutral"}>{trade_state}</Badge>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
