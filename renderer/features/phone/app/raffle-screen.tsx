import { Button } from "@mantine/core";
import { Gift } from "lucide-react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { AppFailure } from "./app-failure.tsx";
import { AppWaiting } from "./app-waiting.tsx";
import { askFor } from "./ask-server.ts";
import type { SimulatedPhone } from "../phone.ts";
import { useAppQuery } from "./use-app-query.ts";
import { useTask } from "./use-task.ts";
import classes from "./app.module.css";

const winner = z.object({ prize: z.number(), winner: z.string() });
const raffle = z.object({ id: z.number(), title: z.string(), prizes: z.number(), winners: z.array(winner) });
const entries = ["Ada", "Bob", "Chen", "Dee", "Eve", "Fang"];

export function RaffleScreen({ phone }: { phone: SimulatedPhone }) {
  const { t } = useTranslation();
  const task = useTask();
  const newest = useAppQuery(phone, "raffle", async () => {
    const [first] = await askFor(phone, z.array(raffle), ["GET", "/api/raffles?page_size=1"]);
    return first ?? null;
  });
  const start = () =>
    task.run(async () => {
      phone.tap("startRaffle");
      await askFor(phone, raffle, ["POST", "/api/raffles", { title: t("phone.raffleTitle"), entries, prizes: 3 }]);
      await newest.refresh();
    });
  const draw = (id: number) =>
    task.run(async () => {
      phone.tap("draw");
      await askFor(phone, winner, ["POST", `/api/raffles/${String(id)}/draws`]);
      await newest.refresh();
    });

  const failure = task.failure ?? newest.failure;
  const { data } = newest;
  return (
    <section className={classes.screen} aria-labelledby="phone-raffle">
      <header className={classes.head}>
        <h2 id="phone-raffle">{t("phone.screens.raffle")}</h2>
      </header>
      {failure && <AppFailure failure={failure} onRetry={task.failure ? undefined : newest.reload} />}
      {newest.data === undefined && newest.loading && <AppWaiting />}
      {data === null && <p className={classes.nothing}>{t("phone.noRaffle")}</p>}
      {data && (
        <>
          <p className={classes.lead}>
            <strong>{data.title}</strong>
            <span className={classes.dim}>{t("phone.drawn", { drawn: data.winners.length, count: data.prizes })}</span>
          </p>
          <ul className={classes.list}>
            {data.winners.map(({ prize, winner }) => (
              <li key={prize} className={classes.row}>
                <span className={classes.inline}>
                  <Gift size={14} aria-hidden />
                  <strong>{winner}</strong>
                </span>
                <span className={classes.dim}>{t("phone.prize", { prize })}</span>
              </li>
            ))}
          </ul>
          <Button variant="filled" loading={task.busy} onClick={() => void draw(data.id)}>
            {t("phone.draw")}
          </Button>
        </>
      )}
      {data !== undefined && (data === null || data.winners.length >= data.prizes) && (
        <Button disabled={task.busy} onClick={() => void start()}>
          {t("phone.startRaffle")}
        </Button>
      )}
    </section>
  );
}
