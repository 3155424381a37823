/** A check that runs or has ended: its report so far, and who follows it. */
import type {
  ReceiverCheck,
  ReceiverCheckInput,
  ReceiverCheckProgress,
  ReceiverCheckResult,
} from "../../../contract/provider/checks/receiver-checks.ts";

export interface StartedCheck {
  check: ReceiverCheck;
  readonly abort: AbortController;
  readonly progress: ReceiverCheckProgress[];
  readonly listeners: Set<(progress: ReceiverCheckProgress) => void>;
  over: Promise<void>;
}

export function newCheck(id: number, input: ReceiverCheckInput): StartedCheck {
  const { notify_url, refund_notify_url, product_notify_url, mch_id, orders, only } = input;
  return {
    check: {
      id,
      state: "running",
      notify_url,
      refund_notify_url,
      product_notify_url,
      mch_id,
      asks_status: input.status !== undefined,
      orders: orders.from === "simulator" ? orders : { from: orders.from },
      only,
      started_at: new Date().toISOString(),
      planned: [],
      results: [],
      counts: { pass: 0, fail: 0, not_judged: 0 },
    },
    abort: new AbortController(),
    progress: [],
    listeners: new Set(),
    over: Promise.resolve(),
  };
}

export function emit(started: StartedCheck, progress: ReceiverCheckProgress): void {
  started.progress.push(progress);
  for (const onEvent of started.listeners) onEvent(progress);
}

export function addResult(started: StartedCheck, result: ReceiverCheckResult): void {
  const { check } = started;
  const counts = { ...check.counts, [result.verdict]: check.counts[result.verdict] + 1 };
  started.check = { ...check, results: [...check.results, result], counts };
  emit(started, { type: "result", result });
}

export function end(started: StartedCheck, state: ReceiverCheck["state"], problem?: string): void {
  const ended_at = new Date().toISOString();
  started.check = { ...started.check, state, ended_at, ...(problem !== undefined && { problem }) };
  emit(started, { type: "ended", check: started.check });
}
