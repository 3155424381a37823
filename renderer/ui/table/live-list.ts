/**
 * The rows that a live page holds: newest first, each once, without gaps, and not more than a bounded number. A row's id is
 * counted up by the server.
 */
export interface LiveRow {
  readonly id: string | number;
}

export interface LiveList<Row> {
  readonly rows: readonly Row[];
  /** All stored rows that the page's filter fits, held or not. */
  readonly total: number;
  /** Whether the oldest stored one is held. */
  readonly complete: boolean;
}

export interface LivePage<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

/** Fetches the newest rows, or those before an id. */
export type LoadPage<Row> = (before: number | undefined) => Promise<LivePage<Row>>;

/** As many as the server asks back at once, and in all. */
const mostHeld = 100_000;
/** After a long absence the list starts anew instead of fetching everything that was missed. */
const mostPagesCaughtUp = 10;

const order = (row: LiveRow): number => Number(row.id);

/** Puts what came, in any order and perhaps for the second time, in front. */
export function mergeNewer<Row extends LiveRow>(list: LiveList<Row>, arrived: readonly Row[]): LiveList<Row> {
  const newest = list.rows[0] ? order(list.rows[0]) : -Infinity;
  const added = new Map(arrived.filter((row) => order(row) > newest).map((row) => [row.id, row]));
  if (added.size === 0) return list;
  const sorted = [...added.values()].sort((a, b) => order(b) - order(a));
  return bounded({ ...list, rows: [...sorted, ...list.rows], total: list.total + sorted.length });
}

/** Adds a page of at most `pageSize` rows that was asked for with `before` the oldest held row. */
export function appendOlder<Row extends LiveRow>(
  list: LiveList<Row>,
  page: LivePage<Row>,
  pageSize: number,
): LiveList<Row> {
  const last = list.rows.at(-1);
  const older = last ? page.rows.filter((row) => order(row) < order(last)) : page.rows;
  return { rows: [...list.rows, ...older], total: page.total, complete: page.rows.length < pageSize };
}

/**
 * The newest rows, joined without a gap to what is known by then, which is answered as it is where nothing is new; without
 * it when too much was missed. `held` is asked
 * after each page, since older rows may be added meanwhile.
 */
export async function fetchNewest<Row extends LiveRow>(
  load: LoadPage<Row>,
  held: () => LiveList<Row> | undefined,
  pageSize: number,
): Promise<LiveList<Row>> {
  const first = await load(undefined);
  const nothing: LiveList<Row> = { rows: [], total: first.total, complete: false };
  let list = appendOlder(nothing, first, pageSize);
  for (let pages = 1; pages < mostPagesCaughtUp; pages += 1) {
    const known = held();
    const newestKnown = known?.rows[0];
    if (!known || !newestKnown) return list;
    const oldest = list.rows.at(-1);
    if (!oldest || order(oldest) <= order(newestKnown)) {
      const merged = mergeNewer(known, list.rows);
      return merged.total === first.total ? merged : { ...merged, total: first.total };
    }
    if (list.complete) return list;
    list = appendOlder(list, await load(order(oldest)), pageSize);
  }
  return list;
}

function bounded<Row>(list: LiveList<Row>): LiveList<Row> {
  if (list.rows.length <= mostHeld) return list;
  return { ...list, rows: list.rows.slice(0, mostHeld), complete: false };
}

/** Where the rows begin that a reader who left the top, or pauses, has seen: what came since stays above, unseen. */
export function firstSeen(rows: readonly LiveRow[], newestSeen: LiveRow["id"] | undefined): number {
  if (newestSeen === undefined) return 0;
  const index = rows.findIndex((row) => order(row) <= Number(newestSeen));
  return index < 0 ? rows.length : index;
}
