/**
 * Delivers events to the application server's log. An event that cannot be delivered is dropped, because nothing
 * depends on it.
 */
import type { EventDelivery } from "../../contract/console/traffic/event-delivery.ts";
import { traceHeaders } from "../../trace/span.ts";

export type DeliverEvent = (
  type: "model.pulled" | "model.loaded" | "model.unloaded",
  model: string,
  detail?: string,
) => void;

const patienceMs = 5_000;

/** Address and token come from the supervisor; without them nothing is delivered. */
export function createDeliverEvent(appUrl: () => string | undefined, token: string | undefined): DeliverEvent {
  return (type, model, detail) => {
    const url = appUrl();
    if (url === undefined || token === undefined) return;
    const event: EventDelivery = {
      source: "/model",
      type,
      subject: model,
      data: { model, ...(detail !== undefined && { detail }) },
    };
    fetch(new URL("/console/api/events", url), {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}`, ...traceHeaders() },
      body: JSON.stringify(event),
      signal: AbortSignal.timeout(patienceMs),
    }).then(
      (reply) => void reply.body?.cancel(),
      () => undefined,
    );
  };
}
