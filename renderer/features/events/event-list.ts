/** The events that the page holds: newest first, each once, without gaps, and not more than a bounded number. */
import type { EventPage } from "../../../server/contract/console.ts";
import type { CloudEvent } from "../../../server/contract/events.ts";

export interface EventList {
  events: readonly CloudEvent[];
  /** All stored events, held or not. */
  total: number;
  /** Whether the oldest stored one is held. */
  complete: boolean;
}

/** Fetches the newest events, or those before an id. */
export type LoadEvents = (before?: string) => Promise<EventPage>;

export const pageSize = 200;
const mostHeld = 20_000;
/** After a long absence the list starts anew instead of fetching everything that was missed. */
const mostPagesCaughtUp = 10;

const order = (event: CloudEvent): number => Number(event.id);

/** Puts what came, in any order and perhaps for the second time, in front. */
export function mergeNewer(list: EventList, arrived: readonly CloudEvent[]): EventList {
  const newest = list.events[0] ? order(list.events[0]) : -Infinity;
  const added = new Map(arrived.filter((event) => order(event) > newest).map((event) => [event.id, event]));
  if (added.size === 0) return list;
  const sorted = [...added.values()].sort((a, b) => order(b) - order(a));
  return bounded({ ...list, events: [...sorted, ...list.events], total: list.total + sorted.length });
}

/** Adds a page that was asked for with `before` the oldest held event. */
export function appendOlder(list: EventList, page: EventPage): EventList {
  const last = list.events.at(-1);
  const older = last ? page.events.filter((event) => order(event) < order(last)) : page.events;
  return { events: [...list.events, ...older], total: page.total, complete: page.events.length < pageSize };
}

/** The newest events, joined without a gap to what is known; without it when too much was missed. */
export async function fetchNewest(load: LoadEvents, known: EventList | undefined): Promise<EventList> {
  const first = await load();
  let list: EventList = appendOlder({ events: [], total: first.total, complete: false }, first);
  const newestKnown = known?.events[0];
  if (!known || !newestKnown) return list;
  for (let pages = 1; pages < mostPagesCaughtUp; pages += 1) {
    const oldest = list.events.at(-1);
    if (!oldest || order(oldest) <= order(newestKnown))
      return { ...mergeNewer(known, list.events), total: first.total };
    if (list.complete) return list;
    list = appendOlder(list, await load(oldest.id));
  }
  return list;
}

function bounded(list: EventList): EventList {
  if (list.events.length <= mostHeld) return list;
  return { ...list, events: list.events.slice(0, mostHeld), complete: false };
}

/** Where the rows begin that a reader who left the top has seen: what came since stays above, unseen. */
export function firstSeen(events: readonly CloudEvent[], newestSeen: string | undefined): number {
  if (newestSeen === undefined) return 0;
  const index = events.findIndex((event) => order(event) <= Number(newestSeen));
  return index < 0 ? events.length : index;
}
