import { getNames } from "../../contract/console/control/names.ts";
import { route, type Route } from "../../http/route.ts";

/** Looks up names by ids; users without one are left out. */
export type UserNames = (ids: readonly number[]) => Promise<ReadonlyMap<number, string>>;

export const namesConsoleRoute = (userNames: UserNames): Route =>
  route(getNames, async ({ query }) => {
    const ids = [...new Set(query.users.split(","))].map(Number);
    return { data: { users: Object.fromEntries(await userNames(ids)) } };
  });
