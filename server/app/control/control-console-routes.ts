import { farthestOffsetMs, statePartSchema, type StatePartName } from "../../contract/console/control/control.ts";
import {
  createFault,
  createReset,
  deleteFault,
  deleteFaults,
  deleteFixture,
  getClock,
  getFixture,
  listFaults,
  listFixtures,
  loadFixture,
  replaceFaults,
  resetClock,
  saveFixture,
  setClock,
} from "../../contract/console/control/control-endpoints.ts";
import { refuse } from "../../http/http-error.ts";
import { route, type Route } from "../../http/route.ts";
import type { AdjustableClock } from "../../time/adjustable-clock.ts";
import type { RouteFaults } from "./faults.ts";
import type { Fixtures } from "./fixtures.ts";

interface Deps {
  readonly clock: AdjustableClock;
  readonly faults: RouteFaults;
  /** Resets parts of the state and returns the number of removed entries of each. */
  readonly reset: (parts: readonly StatePartName[]) => Promise<Partial<Record<StatePartName, number>>>;
  readonly fixtures: Fixtures;
}

/** The console's operations on the clock, faults, resets and fixtures. */
export const controlConsoleRoutes = ({ clock, faults, reset, fixtures }: Deps): Route[] => [
  ...clockRoutes(clock),
  ...faultRoutes(faults),
  route(createReset, async ({ body: { parts } }) => ({
    data: { removed: await reset(statePartSchema.options.filter((part) => parts?.includes(part) ?? true)) },
  })),
  ...fixtureRoutes(fixtures),
];

function clockRoutes(clock: AdjustableClock): Route[] {
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

const faultRoutes = (faults: RouteFaults): Route[] => [
  route(listFaults, () => ({ data: { faults: faults.list() } })),
  route(replaceFaults, ({ body }) => {
    faults.replace(body.faults);
    return { data: { faults: faults.list() } };
  }),
  route(createFault, ({ body }) => ({ data: faults.add(body) })),
  route(deleteFaults, () => void faults.clear()),
  route(deleteFault, ({ params: { id } }) => {
    if (!faults.remove(id)) throw refuse("fault.none", { id });
  }),
];

const fixtureRoutes = (fixtures: Fixtures): Route[] => [
  route(listFixtures, async () => ({ data: { folder: fixtures.folder, fixtures: await fixtures.list() } })),
  route(saveFixture, async ({ params: { name }, body: { parts } }) => {
    if (parts.includes("sessions") && !parts.includes("users"))
      throw refuse("fixture.users", undefined, { field: "parts" });
    if (parts.includes("users") && !parts.includes("sessions"))
      throw refuse("fixture.sessions", undefined, { field: "parts" });
    return { data: await fixtures.save(name, parts) };
  }),
  route(getFixture, async ({ params: { name } }) => ({ data: await fixtures.get(name) })),
  route(loadFixture, async ({ params: { name } }) => ({ data: await fixtures.load(name) })),
  route(deleteFixture, async ({ params: { name } }) => fixtures.remove(name)),
];
