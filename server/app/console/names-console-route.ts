import { getNames } from "../../contract/console/control/names.ts";
import { route, type Route } from "../../http/route.ts";

type Names<Id> = (ids: readonly Id[]) => Promise<ReadonlyMap<Id, string>>;

/** Look up names by ids; ids without one are left out. */
export interface NameSources {
  readonly users: Names<number>;
  readonly orders: Names<number>;
  /** Items as `collection/id`. */
  readonly items: Names<string>;
}

const idsIn = (text: string | undefined): string[] => (text === undefined ? [] : [...new Set(text.split(","))]);

async function named<Id extends string | number>(names: Names<Id>, ids: readonly Id[]) {
  return ids.length === 0 ? {} : Object.fromEntries(await names(ids));
}

export const namesConsoleRoute = ({ users, orders, items }: NameSources): Route =>
  route(getNames, async ({ query }) => ({
    data: {
      users: await named(users, idsIn(query.users).map(Number)),
      orders: await named(orders, idsIn(query.orders).map(Number)),
      items: await named(items, idsIn(query.items)),
    },
  }));
