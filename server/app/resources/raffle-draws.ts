import { randomInt } from "node:crypto";
import type { z } from "zod";
import { endpoint } from "../../contract/endpoint.ts";
import { idParams } from "../../contract/app/resources.ts";
import { refuse } from "../../http/http-error.ts";
import { route, type Route } from "../../http/route.ts";
import type { Instances } from "../../store/database.ts";
import type { RecordStore } from "../../store/records/record-store.ts";
import { whileTaken } from "../../store/while-taken.ts";
import { winnerSchema } from "./raffles.ts";

/**
 * Draws the next prize of a raffle. Every participant may draw, also in another user's raffle. Nobody wins twice, and
 * no prize is drawn twice. During a draw, other draws of the same raffle get 503 with Retry-After. When every prize has
 * been drawn, the answer is 403.
 */
export const createDraw = endpoint({
  id: "createDraw",
  tag: "raffles",
  method: "POST",
  path: "/api/raffles/{id}/draws",
  access: "login",
  status: 201,
  params: idParams,
  data: winnerSchema,
  errors: [403, 404, 503],
});

interface Deps {
  readonly records: RecordStore;
  readonly now: () => number;
  /** The longest time that a draw holds its lock, in ms. */
  readonly drawMs: number;
  readonly wait: (ms: number) => Promise<unknown>;
  readonly instances?: Pick<Instances, "take"> | undefined;
}

/** One draw per raffle at a time; others are answered 503 (spec: Errors 503.3). */
export function raffleDrawRoutes({ records, now, drawMs, wait, instances }: Deps): Route[] {
  const drawing = new Set<number>();

  async function draw(id: number) {
    const raffle = await records.get("raffles", id);
    if (!raffle) throw refuse("raffle.none", { id });
    const { entries, prizes } = raffle.data as { entries: string[]; prizes: number };
    const winners = (raffle.data["winners"] ?? []) as z.infer<typeof winnerSchema>[];
    if (winners.length >= prizes) throw refuse("raffle.empty");
    await wait(drawMs);
    const won = entries.map((_, index) => winners.some(({ entry }) => entry === index));
    const open = entries.map((_, index) => index).filter((index) => !won[index]);
    const entry = open[randomInt(open.length)] ?? 0;
    const winner = {
      prize: winners.length + 1,
      entry,
      winner: entries[entry] ?? "",
      drawn_at: new Date(now()).toISOString(),
    };
    const stored = await records.replace("raffles", id, raffle.version, {
      ...raffle.data,
      winners: [...winners, winner],
    });
    if (!stored) throw refuse("raffle.changed", undefined, { retryAfter: 1 });
    return winner;
  }

  const underWay = () => refuse("raffle.drawing", undefined, { retryAfter: Math.max(1, Math.ceil(drawMs / 1000)) });

  async function drawAmongInstances(id: number) {
    const done = await whileTaken(instances && (() => instances.take(`raffle ${String(id)}`)), () => draw(id));
    if (!done) throw underWay();
    return done.value;
  }

  return [
    route(createDraw, async ({ params: { id } }) => {
      if (drawing.has(id)) throw underWay();
      drawing.add(id);
      try {
        return { data: await drawAmongInstances(id) };
      } finally {
        drawing.delete(id);
      }
    }),
  ];
}
