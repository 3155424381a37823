/** Searches recorded requests and waits for new ones. */
import { message, type Message } from "../../contract/messages/message.ts";
import { emptyHistogram, histogramOf, timeSteps, type Histogram } from "../../contract/console/traffic/histogram.ts";
import { isObject } from "../../contract/is-object.ts";
import type { Assertion, RequestFilter } from "../../contract/console/traffic/requests.ts";
import { refuse } from "../../http/http-error.ts";
import type { RequestOrder } from "./store/request-query.ts";
import type { RequestStore } from "./store/request-store.ts";
import type { RequestRow, RequestSummaryRow } from "./store/request-rows.ts";
import { headerOf, recordedRequest } from "./recorded-request.ts";
import type { Recorder } from "./recorder.ts";
import { requestQuery } from "./request-filter.ts";

interface Deps {
  readonly store: RequestStore;
  readonly recorder: Recorder;
  /** Time limit of an expression on paths. */
  readonly patternDeadlineMs: number;
}

/** More than can be stored: an assertion looks at every recorded request. */
const all = 1_000_000;
const maxVisible = 100;

export type RequestWatch = ReturnType<typeof createRequestWatch>;

export function createRequestWatch({ store, recorder, patternDeadlineMs }: Deps) {
  /** Newest first unless in another order. */
  async function find(filter: RequestFilter, limit: number, order?: RequestOrder): Promise<RequestSummaryRow[]> {
    await recorder.flush();
    return store.find({ ...requestQuery(filter, limit, patternDeadlineMs), order });
  }

  /** Collects the matching requests; each call adds those recorded since the previous one. */
  function collect(filter: RequestFilter, matches: (row: RequestSummaryRow) => boolean) {
    let found: RequestSummaryRow[] = [];
    let seen = filter.after ?? 0;
    return async (): Promise<RequestSummaryRow[]> => {
      await recorder.flush();
      const { newestId } = store.totals();
      const fresh = await find({ ...filter, after: seen }, all);
      found = [...fresh.filter(matches), ...found];
      seen = Math.max(newestId, fresh[0]?.id ?? 0);
      return found;
    };
  }

  /** Calls `isDone` now and after each change, until it returns true, the time is over or the caller has left. */
  async function until(isDone: () => Promise<boolean>, timeoutMs: number, left: AbortSignal): Promise<boolean> {
    const over = AbortSignal.any([left, AbortSignal.timeout(timeoutMs)]);
    let wake = () => {};
    let changes = 0;
    const notify = () => {
      changes++;
      wake();
    };
    over.addEventListener("abort", notify);
    const stop = recorder.onChange(notify);
    try {
      for (;;) {
        const seen = changes;
        if (await isDone()) return true;
        if (over.aborted) return false;
        if (changes === seen) await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      stop();
    }
  }

  /** The latest requests, for an error message. */
  async function nearest(filter: RequestFilter): Promise<Message> {
    const others = await find({ after: filter.after, since: filter.since }, 5);
    if (others.length === 0) return message("request.noOthers");
    const lines = others.map(
      ({ id, method, path, status }) => `${method} ${path} ${String(status ?? "none")} (${String(id)})`,
    );
    return message("request.latest", { requests: lines });
  }

  return {
    find,

    count: async (filter: RequestFilter) => (await find(filter, all)).length,

    /** Counts the matches over the time that the filter names, or over all stored requests, in at most `most` bars. */
    async histogram(filter: RequestFilter, most: number): Promise<Histogram> {
      await recorder.flush();
      const query = requestQuery(filter, all, patternDeadlineMs);
      const span = store.span();
      if (!span) return emptyHistogram;
      const { since = span.from, until = span.until } = query;
      const steps = timeSteps(since, until, most);
      return histogramOf(steps, await store.countByTime({ ...query, since, until }, steps));
    },

    /** @throws HttpError 404 when there are fewer than `count` in time */
    async wait(filter: RequestFilter, count: number, timeoutMs: number, left: AbortSignal) {
      const collected = collect(filter, () => true);
      let found: RequestSummaryRow[] = [];
      const isComplete = async () => (found = await collected()).length >= count;
      if (await until(isComplete, timeoutMs, left)) return found.slice(0, maxVisible);
      throw refuse("request.notSeen", { found: found.length, count, timeoutMs, nearest: await nearest(filter) });
    },

    /** @throws HttpError 409 when it does not become true in time */
    async assert(assertion: Assertion, left: AbortSignal) {
      const matches = bodyCondition(assertion);
      const collected = collect(assertion, ({ id }) => matches === undefined || matches(store.get(id)));
      let found: RequestSummaryRow[] = [];
      const isAsserted = async () => isAsMany((found = await collected()).length, assertion);
      if (await until(isAsserted, assertion.timeout_ms, left))
        return { count: found.length, requests: found.slice(0, maxVisible) };
      throw refuse("request.asserted", {
        wanted: expectation(assertion),
        found: found.length,
        nearest: await nearest(assertion),
      });
    },
  };
}

const leastOf = ({ exactly, at_least, at_most }: Assertion) => exactly ?? at_least ?? (at_most === undefined ? 1 : 0);

const isAsMany = (count: number, assertion: Assertion) =>
  count >= leastOf(assertion) && count <= (assertion.exactly ?? assertion.at_most ?? Number.POSITIVE_INFINITY);

function expectation(assertion: Assertion): Message {
  const { exactly, at_most } = assertion;
  if (exactly !== undefined) return message("request.exactly", { count: exactly });
  const least = leastOf(assertion);
  if (at_most === undefined) return message("request.atLeast", { count: least });
  return least === 0
    ? message("request.atMost", { count: at_most })
    : message("request.between", { least, most: at_most });
}

/** Checks the assertion's conditions on headers and bodies; undefined when it has none. */
function bodyCondition(assertion: Assertion): ((row: RequestRow | undefined) => boolean) | undefined {
  const { headers, json, body_contains, response_contains } = assertion;
  if ((headers ?? json ?? body_contains ?? response_contains) === undefined) return undefined;
  return (row) => {
    if (!row) return false;
    const { request, response } = recordedRequest(row);
    return (
      Object.entries(headers ?? {}).every(([name, value]) => headerOf(request.headers, name.toLowerCase()) === value) &&
      (json === undefined || contains(parsed(request.body.text), json)) &&
      (request.body.text ?? "").includes(body_contains ?? "") &&
      (response.body.text ?? "").includes(response_contains ?? "")
    );
  };
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}

/** True when `value` contains everything in `part`. Arrays must have the same length. */
function contains(value: unknown, part: unknown): boolean {
  if (Array.isArray(part))
    return (
      Array.isArray(value) && value.length === part.length && part.every((item, index) => contains(value[index], item))
    );
  if (isObject(part))
    return isObject(value) && Object.entries(part).every(([name, member]) => contains(value[name], member));
  return Object.is(value, part);
}
