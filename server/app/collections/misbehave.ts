/** Latency and errors on purpose, for testing how a client handles them. */
import { message } from "../../contract/messages/message.ts";
import { HttpError } from "../../http/http-error.ts";
import type { Route } from "../../http/route.ts";
import type { XHearth } from "./schema/x-hearth.ts";

export interface Chances {
  /** From 0 up to 1, as Math.random. */
  readonly random: () => number;
  readonly wait: (ms: number) => Promise<unknown>;
}

/** The route with the collection's latency and errors. */
export function misbehaving(
  route: Route,
  name: string,
  { latencyMs, errorRate, errorStatus }: XHearth,
  { random, wait }: Chances,
): Route {
  if (latencyMs === undefined && errorRate === 0) return route;
  const { min, max } = typeof latencyMs === "object" ? latencyMs : { min: latencyMs ?? 0, max: latencyMs ?? 0 };
  return {
    spec: errorRate === 0 ? route.spec : { ...route.spec, errors: [...(route.spec.errors ?? []), errorStatus] },
    async handle(input, context) {
      if (max > 0) await wait(min + random() * (max - min));
      if (random() < errorRate)
        throw new HttpError(errorStatus, "error_on_purpose", message("error.onPurpose", { name, rate: errorRate }), {
          headers: errorStatus === 503 || errorStatus === 429 ? { "Retry-After": "1" } : {},
        });
      return route.handle(input, context);
    },
  };
}
