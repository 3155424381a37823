/** Folds the queries by which Hearth itself follows an order: the newest in the list stands for all. */
import { useCallback, useMemo, useState } from "react";
import type { RecordedSummary } from "../../../server/contract/console/traffic/requests.ts";

export interface ListedRequest extends RecordedSummary {
  /** The row stands for this many queries of its order. */
  readonly queries?: number;
  /** Whether the others are shown below it. */
  readonly isOpen?: boolean;
  /** One of the others. */
  readonly isBelow?: boolean;
}

/** Query order and query refund, of both versions. */
const queryCalls = /^(?:POST \/(?:\S+\/)?pay\/(?:order|refund)query|GET \/v3\/(?:pay|refund)\/\S+)$/;

const isOwnQuery = ({ sender, flow, method, path }: RecordedSummary) =>
  sender === "app" && flow?.startsWith("order:") === true && queryCalls.test(`${method} ${path}`);

/**
 * A query that somebody else's request led to, as a client's or a notification, stays where it is. `open`: flows of
 * orders whose queries are shown; those with the selected request are, too.
 */
export function foldQueries(
  rows: readonly RecordedSummary[],
  open: ReadonlySet<string>,
  selected: string | undefined,
): readonly ListedRequest[] {
  const led = new Set(rows.flatMap(({ sender, trace_id }) => (sender === "app" ? [] : [trace_id])));
  const queries = Map.groupBy(
    rows.filter((row) => isOwnQuery(row) && !led.has(row.trace_id)),
    ({ flow = "" }) => flow,
  );
  const folded = new Set([...queries.values()].flat());
  return rows.flatMap((row): readonly ListedRequest[] => {
    if (!folded.has(row)) return [row];
    const [first = row, ...others] = queries.get(row.flow ?? "") ?? [];
    if (row !== first) return [];
    if (others.length === 0) return [row];
    const isOpen = open.has(row.flow ?? "") || others.some(({ id }) => String(id) === selected);
    const head = { ...row, queries: others.length + 1, isOpen };
    return isOpen ? [head, ...others.map((other) => ({ ...other, isBelow: true }))] : [head];
  });
}

/** The rows with folded queries, and the function that opens or closes those of a row. */
export function useFoldedQueries(rows: readonly RecordedSummary[], selected: string | undefined, isSorted: boolean) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback(
    ({ flow = "" }: ListedRequest) =>
      setOpen((held) => new Set(held.has(flow) ? [...held].filter((one) => one !== flow) : [...held, flow])),
    [],
  );
  const folded = useMemo(() => (isSorted ? rows : foldQueries(rows, open, selected)), [rows, open, selected, isSorted]);
  return { rows: folded, toggle };
}
