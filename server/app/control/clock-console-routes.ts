import { farthestOffsetMs } from "../../contract/console/control/control.ts";
import { getClock, resetClock, setClock } from "../../contract/console/control/control-endpoints.ts";
import { refuse } from "../../http/http-error.ts";
import { route, type Route } from "../../http/route.ts";
import type { AdjustableClock } from "../../time/adjustable-clock.ts";

export function clockConsoleRoutes(clock: AdjustableClock): Route[] {
  const view = () => ({ now: new Date(clock.now()).toISOString(), offset_ms: clock.offsetMs });
  return [
    route(getClock, () => ({ data: view() })),
    route(setClock, ({ body: { offset_ms, advance_ms, at } }) => {
      const field = at !== undefined ? "at" : advance_ms !== undefined ? "advance_ms" : "offset_ms";
      const further = at === undefined ? (advance_ms ?? 0) : Date.parse(at) - clock.now();
      const offsetMs = offset_ms ?? clock.offsetMs + further;
      if (Math.abs(offsetMs) > farthestOffsetMs) throw refuse("clock.far", undefined, { field });
      if (clock.now() - clock.offsetMs + offsetMs < 0) throw refuse("clock.early", undefined, { field });
      clock.offsetMs = offsetMs;
      return { data: view() };
    }),
    route(resetClock, () => void (clock.offsetMs = 0)),
  ];
}
