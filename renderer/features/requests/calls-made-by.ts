import type { RecordedSummary } from "../../../server/contract/console/traffic/requests.ts";

interface MadeCalls {
  readonly first: RecordedSummary;
  readonly count: number;
}

/** The calls that a request made, in their order. Calls that differ in nothing but their time count as one. */
export function callsMadeBy({ span_id }: RecordedSummary, requests: readonly RecordedSummary[]): MadeCalls[] {
  const calls = new Map<string, MadeCalls>();
  for (const first of requests.toSorted((one, other) => one.id - other.id)) {
    if (span_id === undefined || first.parent_id !== span_id) continue;
    const key = `${first.method} ${first.path} ${String(first.status)}`;
    const known = calls.get(key);
    calls.set(key, known ? { ...known, count: known.count + 1 } : { first, count: 1 });
  }
  return [...calls.values()];
}
