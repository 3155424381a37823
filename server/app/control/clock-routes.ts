import { getClock, resetClock, setClock } from "../../contract/control-endpoints.ts";
import { route, type Route } from "../../http/route.ts";
import type { AdjustableClock } from "../../process/adjustable-clock.ts";

export function clockRoutes(clock: AdjustableClock): Route[] {
  const shown = () => ({ now: new Date(clock.now()).toISOString(), offset_ms: clock.offsetMs });
  return [
    route(getClock, () => ({ data: shown() })),
    route(setClock, ({ body: { offset_ms, advance_ms, at } }) => {
      if (at !== undefined) clock.offsetMs += Date.parse(at) - clock.now();
      else clock.offsetMs = offset_ms ?? clock.offsetMs + (advance_ms ?? 0);
      return { data: shown() };
    }),
    route(resetClock, () => {
      clock.offsetMs = 0;
      return {};
    }),
  ];
}
