/** Streams changes of orders and refunds as they happen (server-sent events). */
import type { z } from "zod";
import type { simOrderChangeSchema } from "../../../contract/provider/sim-orders.ts";
import { streamSimOrderChanges } from "../../../contract/provider/sim-operations.ts";
import type { EventStream, EventStreams } from "../../../http/connection/bodies/event-streams.ts";
import { route } from "../../../http/route.ts";
import type { Ledger, LedgerChange, Order } from "../ledger/ledger.ts";
import type { Notifier } from "../notifier/notifier.ts";
import { orderView, simRefundView } from "./views.ts";

interface Deps {
  readonly ledger: Pick<Ledger, "subscribe">;
  readonly notifier: Pick<Notifier, "onDelivery">;
  /** Where a buyer pays an order in a browser, if possible. */
  readonly payPage: (order: Order) => string | undefined;
  readonly streams: EventStreams;
}

/** In bytes. A buffer shared by many readers exists once. */
const mostUnread = 1_048_576;
const begin = Buffer.from(": from now on\n\n");

export function createOrderChanges({ ledger, notifier, payPage, streams }: Deps) {
  const readers = new Set<EventStream>();

  function send(event: "order" | "refund" | "notification" | "reset", data: object): void {
    const frame = Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    for (const reader of readers) {
      // A reader that lags too far behind must request the orders again.
      if (reader.unreadBytes() > mostUnread) reader.cut();
      else reader.write(frame);
    }
  }

  const unsubscribe = ledger.subscribe((change) => {
    if (readers.size > 0 && change.kind !== "failure") send(change.kind, view(change));
  });

  notifier.onDelivery((order) => {
    if (readers.size > 0) send("notification", { order: orderView(order, payPage(order)) });
  });

  function view(change: Exclude<LedgerChange, { kind: "failure" }>): z.input<typeof simOrderChangeSchema> {
    const order = orderView(change.order, payPage(change.order));
    if (change.kind === "order") return { from: change.from, order };
    return { from: change.from, order, refund: simRefundView(change.refund, change.order) };
  }

  return {
    route: route(streamSimOrderChanges, (_input, { req, res }) => {
      const reader = streams.open(req, res);
      reader?.write(begin);
      if (reader) readers.add(reader);
      reader?.onClose(() => readers.delete(reader));
      return { sent: true };
    }),
    /** Notifies that anything may have changed: the orders were replaced or removed. */
    reset: () => send("reset", {}),
    /** Ends all streams. */
    close(): void {
      unsubscribe();
      for (const reader of readers) reader.end();
    },
  };
}
