import { appendOlder, type LoadPage } from "../../../ui/table/live-list.ts";
import { changedBeyond, withNewest, type OrderPage } from "./order-list.ts";
import type { ListedOrder } from "./order-row.ts";

/** Up to this number, changed orders are fetched one by one. */
const maxLookups = 20;
/** The most pages that are fetched again; what is older is fetched on demand, as at first. */
const mostPagesAgain = 10;

interface Source {
  /** Fetches the newest page, or the one before an id. */
  readonly load: LoadPage<OrderPage>;
  /** Fetches one order by its number; empty: it no longer matches. */
  readonly loadOne: (number: string) => Promise<readonly ListedOrder[]>;
  readonly held: () => OrderPage | undefined;
}

/**
 * Fetches the newest orders, and those held beyond them that may have changed.
 * @param changed the numbers of the orders that have changed since the held ones were fetched; undefined: any may have
 */
export async function fetchCurrent(source: Source, changed: ReadonlySet<string> | undefined): Promise<OrderPage> {
  const page = await source.load(undefined);
  const asked = changed && changedBeyond(source.held(), page, changed);
  if (asked === undefined || asked.length > maxLookups)
    return withNewest(source.held(), await loadAsFarAsHeld(source, page));
  const found = await Promise.all(asked.map(source.loadOne));
  return withNewest(source.held(), page, { asked: new Set(asked), found: found.flat() });
}

async function loadAsFarAsHeld({ load, held }: Source, first: OrderPage): Promise<OrderPage> {
  const oldest = held()?.rows.at(-1)?.id ?? Infinity;
  let page = first;
  for (let pages = 1; pages < mostPagesAgain && !page.complete; pages += 1) {
    const last = page.rows.at(-1)?.id ?? -Infinity;
    if (last <= oldest) break;
    page = appendOlder(page, await load(last));
  }
  return page;
}
