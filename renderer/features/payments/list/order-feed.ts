/** Reports changed orders of either side, at a limited rate. */
import { z } from "zod";
import { simOrderChangeSchema } from "../../../../server/contract/provider/sim-orders.ts";
import { follow, type LiveEvents } from "../../../api/events/event-source.ts";
import { isReset } from "../../../api/events/resets.ts";
import { keepOpen, type EventSourceLike, type OpenStream } from "../../../api/events/keep-open.ts";

/** The numbers of the changed orders; undefined: any may have changed. */
export type ChangedOrders = ReadonlySet<string> | undefined;

export interface OrderFeed {
  subscribe(listen: (changed: ChangedOrders) => void): () => void;
  /** Subscribes to both sides; the returned function ends that. */
  start(): () => void;
}

interface Deps {
  readonly live: Pick<LiveEvents, "subscribe" | "subscribeOpen">;
  /** Opens the provider's stream of changes. */
  readonly openChanges: () => ReturnType<OpenStream>;
  readonly everyMs: number;
}

const numbered = z.object({ out_trade_no: z.string() });
const isAboutOrders = (type: string) => /^(order|payment|receiver|refund)\./.test(type);
const openAgainMs = 3_000;

export function createOrderFeed({ live, openChanges, everyMs }: Deps): OrderFeed {
  const listeners = new Set<(changed: ChangedOrders) => void>();
  let changed = new Set<string>();
  let any = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const flush = () => {
    timer = undefined;
    const reported = any ? undefined : changed;
    changed = new Set();
    any = false;
    for (const listen of listeners) listen(reported);
  };
  const add = (number: string | undefined) => {
    if (number === undefined) any = true;
    else changed.add(number);
    timer ??= setTimeout(flush, everyMs);
  };

  let opened = false;
  const attachProvider = (source: EventSourceLike) => {
    const onChange = ({ data }: { data?: unknown }) =>
      add(simOrderChangeSchema.safeParse(JSON.parse(String(data))).data?.order.out_trade_no);
    source.addEventListener("order", onChange);
    source.addEventListener("refund", onChange);
    source.addEventListener("notification", onChange);
    source.addEventListener("reset", () => add(undefined));
    source.addEventListener("open", () => {
      // Changes during a lost connection are not sent again.
      if (opened) add(undefined);
      opened = true;
    });
  };

  return {
    subscribe(listen) {
      listeners.add(listen);
      return () => void listeners.delete(listen);
    },
    start() {
      opened = false;
      const stopProvider = keepOpen(openChanges, attachProvider, () => openAgainMs);
      const stopEvents = follow(
        live,
        (events) => {
          for (const event of events)
            if (isAboutOrders(event.type)) add(numbered.safeParse(event.data).data?.out_trade_no);
            else if (isReset(event)) add(undefined);
        },
        () => add(undefined),
      );
      return () => {
        stopProvider();
        stopEvents();
        clearTimeout(timer);
        timer = undefined;
      };
    },
  };
}
