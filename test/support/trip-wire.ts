/** Something between the application server and the payment provider, by which a test makes single calls come out otherwise. */
import type { CallResult, PaymentCalls, PaymentProvider } from "../../server/app/payments/provider/provider-client.ts";

type CallName = Exclude<keyof PaymentCalls, "version">;
type Outcome = CallResult<unknown>;
type Calls = Record<CallName, (...given: unknown[]) => Promise<Outcome>>;
/** What a call comes to; `real` makes it. */
export type Tripped = Outcome | ((real: () => Promise<Outcome>) => Promise<Outcome> | Outcome);

const names = ["placeOrder", "payByCode", "queryOrder", "closeOrder", "reverseOrder", "refund", "queryRefund"] as const;

/** A signed failure: result_code FAIL. */
export const refusing = (code: string): Outcome => ({
  outcome: "refused",
  code,
  description: "as the test wants it",
  reply: { httpStatus: 200, returnCode: "SUCCESS", resultCode: "FAIL" },
});

/** Failed communication: return_code FAIL. */
export const failing = (code?: string): Outcome => ({
  outcome: "unknown",
  reason: code === undefined ? "return_code" : "undecided",
  description: "as the test wants it",
  code,
  reply: { httpStatus: 200, returnCode: code === undefined ? "FAIL" : "SUCCESS" },
});

/** A signed success with this value: return_code and result_code SUCCESS. */
export const saying = (value: unknown): Outcome => ({
  outcome: "done",
  value,
  reply: { httpStatus: 200, returnCode: "SUCCESS", resultCode: "SUCCESS" },
});

/** The real answer with some members of its value changed. */
export const changing =
  (members: object): Tripped =>
  async (real) => {
    const result = await real();
    return result.outcome === "done" ? { ...result, value: { ...(result.value as object), ...members } } : result;
  };

export function tripWire() {
  const once = new Map<CallName, Tripped[]>();
  const always = new Map<CallName, Tripped>();
  const calls: CallName[] = [];

  return {
    /** The calls that were made, in order. */
    calls,
    /** The next calls of this name come out like this, one after another. */
    next(name: CallName, ...outcomes: Tripped[]): void {
      once.set(name, [...(once.get(name) ?? []), ...outcomes]);
    },
    /** All calls of this name do, until it is taken back. */
    always(name: CallName, outcome: Tripped | undefined): void {
      if (outcome) always.set(name, outcome);
      else always.delete(name);
    },
    reset(): void {
      once.clear();
      always.clear();
      calls.length = 0;
    },
    count: (name: CallName) => calls.filter((one) => one === name).length,
    between(provider: PaymentProvider): PaymentProvider {
      const wired = names.map((name) => {
        const real = (...given: unknown[]) => (provider as unknown as Calls)[name](...given);
        const call = async (...given: unknown[]) => {
          calls.push(name);
          const outcome = once.get(name)?.shift() ?? always.get(name);
          if (outcome === undefined) return real(...given);
          return typeof outcome === "function" ? outcome(() => real(...given)) : outcome;
        };
        return [name, call] as const;
      });
      return { ...provider, ...(Object.fromEntries(wired) as unknown as PaymentCalls), version: provider.version };
    },
  };
}
