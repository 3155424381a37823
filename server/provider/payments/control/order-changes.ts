/** The changes of orders and refunds as they happen, for whoever watches: server-sent events. */
import { Router, type Response } from "express";
import type { z } from "zod";
import type { simOrderChangeSchema } from "../../../contract/sim-orders.ts";
import type { Ledger, LedgerChange, Order } from "../ledger/ledger.ts";
import { shownOrder, shownRefund } from "./shown.ts";

interface Deps {
  readonly ledger: Pick<Ledger, "subscribe">;
  /** Where a buyer pays an order in a browser, if anywhere. */
  readonly payPage: (order: Order) => string | undefined;
}

export interface OrderChanges {
  /** For /sim. */
  readonly routes: Router;
  /** Tells that everything may be different: the orders were replaced or removed. */
  reset(): void;
  /** Ends all streams. */
  close(): void;
}

/** Who lags so many bytes behind is cut off, and asks for the orders anew. */
const mostUnread = 1_048_576;

export function createOrderChanges({ ledger, payPage }: Deps): OrderChanges {
  const streams = new Set<Response>();

  function send(event: "order" | "refund" | "reset", data: object): void {
    const text = `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    for (const stream of streams) {
      if (stream.writableLength > mostUnread) stream.destroy();
      else stream.write(text);
    }
  }

  const stopListening = ledger.subscribe((change) => {
    if (streams.size > 0) send(change.kind, shown(change));
  });

  function shown(change: LedgerChange): z.input<typeof simOrderChangeSchema> {
    const order = shownOrder(change.order, payPage(change.order));
    if (change.kind === "order") return { from: change.from, order };
    return { from: change.from, order, refund: shownRefund(change.refund, change.order) };
  }

  const routes = Router();
  routes.get("/order-changes", (_req, res) => {
    res.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
    res.write(": from now on\n\n");
    streams.add(res);
    res.on("close", () => streams.delete(res));
  });

  return {
    routes,
    reset: () => send("reset", {}),
    close() {
      stopListening();
      for (const stream of streams) stream.end();
    },
  };
}
