import { farthestOffsetMs } from "../../contract/console/control/control.ts";
import { getClock, resetClock, setClock } from "../../contract/console/control/control-endpoints.ts";
import { badRequest } from "../../http/http-error.ts";
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
      if (Math.abs(offsetMs) > farthestOffsetMs)
        throw badRequest("bad_request", "The clock would be more than a century from the real one.", field);
      if (clock.now() - clock.offsetMs + offsetMs < 0)
        throw badRequest("bad_request", "The clock would be before 1970, from which times are counted.", field);
      clock.offsetMs = offsetMs;
      return { data: view() };
    }),
    route(resetClock, () => {
      clock.offsetMs = 0;
      return {};
    }),
  ];
}
