import {
  deleteFixture,
  getFixture,
  listFixtures,
  loadFixture,
  saveFixture,
} from "../../contract/console/control/control-endpoints.ts";
import { refuse } from "../../http/http-error.ts";
import { route, type Route } from "../../http/route.ts";
import type { Fixtures } from "./fixtures.ts";

export const fixturesConsoleRoutes = (fixtures: Fixtures): Route[] => [
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
