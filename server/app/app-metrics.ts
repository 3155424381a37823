import type { Kysely } from "kysely";
import type { EventBus } from "../events/event-bus.ts";
import type { EventStreams } from "../http/connection/bodies/event-streams.ts";
import type { MetricRegistry } from "../http/metrics/metric-registry.ts";
import type { AppTables } from "./features.ts";

interface Sources {
  readonly bus: EventBus;
  readonly streams: EventStreams;
  readonly db: Kysely<AppTables>;
}

/** Adds the metrics apart from requests: events, their readers, orders. */
export function addAppMetrics(metrics: MetricRegistry, { bus, streams, db }: Sources): void {
  const events = metrics.counter("hearth_events_total", "Events since the start, by type.");
  bus.subscribe(({ type }) => events.add(1, { type }));
  metrics.read("gauge", "hearth_event_stream_clients", "Number of open event streams.", () => [
    { value: streams.count() },
  ]);
  metrics.read("gauge", "hearth_orders", "Stored orders, by the state of their trade.", async () => {
    const counted = await db
      .selectFrom("orders")
      .select(({ fn }) => ["trade_state", fn.countAll<number>().as("count")])
      .groupBy("trade_state")
      .execute();
    return counted.map(({ trade_state, count }) => ({ value: Number(count), labels: { trade_state } }));
  });
}
