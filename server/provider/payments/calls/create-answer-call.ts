/** Answers calls: performs each, writes its outcome, sends the bytes, and records it. */
import type { ServerResponse } from "node:http";
import { PaymentRefusal } from "../ledger/ledger.ts";
import type { AnswerCall, CallHandling, CallOutcome, WireReply } from "./answer-call.ts";
import { traceColumns } from "../../../trace/span.ts";
import { faultMarkOf } from "./fault-ref.ts";
import type { CallLog } from "./call-log.ts";
import type { CallFaults, CallPlan } from "./call-plan.ts";
import { orderIn } from "./ledger-values.ts";
import { notesOf } from "../../../http/recording/exchange-notes.ts";
import { pauseUnlessLeft } from "../../../http/connection/bodies/pause-unless-left.ts";

interface Deps {
  readonly log: Pick<CallLog, "add">;
  readonly faults: CallFaults;
  /** Unix time in ms. */
  readonly now: () => number;
}

/** The data of a call after it was answered. */
interface Answered {
  readonly status: number;
  readonly reply: WireReply["body"];
  readonly outcome: string;
  readonly performed: boolean;
  /** The order's number, if the call did not name it. */
  readonly outTradeNo?: string | undefined;
}

export function createAnswerCall({ log, faults, now }: Deps): AnswerCall {
  return async (res, call, handling) => {
    const at = now();
    const startedAt = performance.now();
    const plan = await faults.plan(call);
    if (plan && plan.faults.length > 0) notesOf(res).faults = plan.faults.map(faultMarkOf);
    const answered = plan ? await answerWithFaults(res, plan, handling) : await answerPlainly(res, handling);
    const order = call.outTradeNo ?? answered.outTradeNo;
    if (order !== undefined) notesOf(res).order = order;
    log.add({
      mchId: call.mchId,
      outTradeNo: order ?? "",
      name: call.name,
      version: call.version,
      method: call.method,
      target: call.target,
      body: call.body,
      status: answered.status,
      reply: typeof answered.reply === "string" ? answered.reply : `(${String(answered.reply.byteLength)} bytes)`,
      outcome: answered.outcome,
      performed: answered.performed,
      faults: plan?.faults ?? [],
      at,
      durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
      span: traceColumns(),
    });
    plan?.answered();
  };
}

async function answerPlainly<Value>(res: ServerResponse, { perform, write }: CallHandling<Value>): Promise<Answered> {
  const outcome = await outcomeOf(() => perform({}));
  const reply = await write(outcome);
  send(res, reply);
  return answeredWith(reply, outcome, true);
}

async function answerWithFaults<Value>(
  res: ServerResponse,
  plan: CallPlan,
  { perform, write }: CallHandling<Value>,
): Promise<Answered> {
  await pauseUnlessLeft(res, plan.waitBefore);
  const performed = plan.performs ? await outcomeOf(() => perform(plan.hints)) : undefined;
  if (performed) await plan.performed();
  const outcome = plan.report(performed);
  const reply = await plan.reply(outcome && (await write(outcome)));
  await pauseUnlessLeft(res, plan.waitAfter);
  if (res.closed) return { status: 0, reply: "", outcome: "caller_left", performed: plan.performs };
  transmit(res, reply, plan.sends);
  const answered = answeredWith(reply, outcome ?? performed, plan.performs);
  const reached = plan.sends === "all" || plan.sends === "half";
  return {
    ...answered,
    status: reached ? reply.status : 0,
    reply: reached ? reply.body : "",
    outcome: plan.outcome ?? answered.outcome,
  };
}

const answeredWith = (reply: WireReply, outcome: CallOutcome<unknown> | undefined, performed: boolean): Answered => ({
  status: reply.status,
  reply: reply.body,
  outcome: !outcome || outcome.ok ? "SUCCESS" : outcome.refusal.code,
  performed,
  outTradeNo: outcome?.ok ? orderIn(outcome.value)?.outTradeNo : undefined,
});

async function outcomeOf<Value>(perform: () => Promise<Value>): Promise<CallOutcome<Value>> {
  try {
    return { ok: true, value: await perform() };
  } catch (error) {
    if (error instanceof PaymentRefusal) return { ok: false, refusal: error };
    throw error;
  }
}

function transmit(res: ServerResponse, reply: WireReply, how: CallPlan["sends"]): void {
  if (how === "all") send(res, reply);
  if (how === "half") sendHalf(res, reply);
  if (how === "reset") res.socket?.resetAndDestroy();
}

/** Sends the reply with its length in bytes, never in chunks. A 204 has no length (RFC 9110, 8.6). */
function send(res: ServerResponse, { status, headers, body }: WireReply): void {
  const length = { "Content-Length": String(Buffer.byteLength(body)) };
  res.writeHead(status, { ...headers, ...(status !== 204 && length) });
  res.end(body);
}

/** Sends half of the announced length. */
function sendHalf(res: ServerResponse, { status, headers, body }: WireReply): void {
  const bytes = Buffer.from(body);
  res.writeHead(status, { ...headers, "Content-Length": String(Math.max(bytes.length, 1)) });
  res.flushHeaders();
  res.write(bytes.subarray(0, bytes.length / 2), () => res.socket?.destroy());
}
