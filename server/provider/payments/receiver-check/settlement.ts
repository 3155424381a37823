/** Asks the backend whether it has settled an order. */
import type { ReceiverCheckInput } from "../../../contract/provider/checks/receiver-checks.ts";
import type { AskBackend } from "./ask-backend.ts";
import { filled, meetsCondition, pathOfCondition, valueAt } from "./json-path.ts";
import type { OrderUnderTest } from "./orders-under-test.ts";
import { NotJudged } from "./problems.ts";

export interface SettlementCheck {
  /** Says that no reply had anything at the path of `settled_when` so far; undefined if one had. */
  readonly nothingAtPath: string | undefined;
  readonly settled: boolean;
  /** How many times; undefined if the backend does not report it. */
  readonly times: number | undefined;
  /** Whether the backend shows the payment as failed; undefined if that is not described. */
  readonly failed: boolean | undefined;
  /** Fen; undefined if that is not described. */
  readonly refunded: number | undefined;
}

export type OrderLookup = (under: OrderUnderTest, signal: AbortSignal) => Promise<SettlementCheck>;

const patienceMs = 10_000;

/** A whole number at a path of the description; 0 if there is nothing. */
function numberIn(document: unknown, path: string | undefined): number | undefined {
  if (path === undefined) return undefined;
  const found = Number(valueAt(document, path) ?? 0);
  if (!Number.isInteger(found) || found < 0) throw new NotJudged(`the status has no number at ${path}`);
  return found;
}

export function createOrderLookup(
  ask: AskBackend,
  { url, headers, ...where }: NonNullable<ReceiverCheckInput["status"]>,
): OrderLookup {
  let pathExists = false;

  async function read(target: string, signal: AbortSignal): Promise<{ document: unknown; quoted: string }> {
    const within = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
    const reply = await ask(target, { headers, signal: within });
    if ("failure" in reply) throw new NotJudged(`the status address does not respond: ${reply.failure}`);
    if (reply.status >= 300) throw new NotJudged(`the status address returned HTTP ${String(reply.status)}`);
    try {
      return { document: JSON.parse(reply.text) as unknown, quoted: reply.quoted ?? "" };
    } catch {
      throw new NotJudged("the status address did not return JSON");
    }
  }

  return async ({ order, reply }, signal) => {
    const known = (name: string) => {
      if (name === "out_trade_no") return order.outTradeNo;
      return name.startsWith("reply.") ? valueAt(reply, name.slice("reply.".length)) : undefined;
    };
    const { document, quoted } = await read(filled(url, known, encodeURIComponent), signal);
    const [condition, times, failed, refunded] = [
      where.settled_when,
      where.settlements_at,
      where.failed_when,
      where.refunded_at,
    ].map((one) => one && filled(one, known));
    const isSettled = condition === undefined ? undefined : meetsCondition(document, condition);
    const settlements = numberIn(document, times);
    const conditionPath = condition === undefined ? undefined : pathOfCondition(condition);
    pathExists ||= conditionPath === undefined || valueAt(document, conditionPath) !== undefined;
    return {
      settled: isSettled ?? (settlements ?? 0) > 0,
      times: settlements,
      failed: failed === undefined ? undefined : meetsCondition(document, failed),
      refunded: numberIn(document, refunded),
      nothingAtPath: pathExists
        ? undefined
        : `the status address's reply has nothing at ${String(conditionPath)}${quoted}`,
    };
  };
}
