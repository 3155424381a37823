/** Ends the calls of the platform. */
import { wxFailures, type FailureReason } from "../../contract/mini-program/wx-failures.ts";
import type { PromiseWithout, WxCallbacks, WxFailure, WxPlainCall, WxResult } from "./api/call.ts";

/** A call's failure: what its promise rejects with. Callbacks get its `errMsg` and `errno` alone. */
export class WxError extends Error {
  override readonly name = "WxError";
  readonly errMsg: string;
  readonly errno?: number;
  constructor(errMsg: string, errno?: number, cause?: unknown) {
    super(errMsg, { cause });
    this.errMsg = errMsg;
    if (errno !== undefined) this.errno = errno;
  }
}

export const failed = (api: string, { text, errno }: FailureReason, cause?: unknown): WxError =>
  new WxError(`${api}:fail ${text}`, errno, cause);

/** Throws the platform's own answer when it is a failure. */
export function orFailed<Answer extends { readonly errMsg: string }>(answer: Answer): Answer {
  if (answer.errMsg.endsWith(":ok")) return answer;
  throw new WxError(answer.errMsg);
}

/** An error that the platform has no words for is an unknown network error, by its number. */
const asWxError = (api: string, error: unknown): WxError =>
  error instanceof WxError ? error : failed(api, wxFailures.unknown, error);

/** A failure as callbacks get it. */
function plainFailure({ errMsg, errno }: WxError): WxFailure {
  return { errMsg, ...(errno !== undefined && { errno }) };
}

/** Whether the options have a callback, so that there is no promise. */
export const hasCallbacks = (options: object): boolean =>
  ["success", "fail", "complete"].some((name) => typeof (options as Record<string, unknown>)[name] === "function");

/** Calls back when the call has ended. What a callback throws is not caught: it fails the test. */
export function callBack<Result extends WxResult, Failure extends WxFailure>(
  api: string,
  { success, fail, complete }: WxCallbacks<Result, Failure>,
  ended: Promise<Result>,
): void {
  const end = <Value>(first: ((value: Value) => void) | undefined, value: Value & (Result | Failure)) => {
    try {
      first?.(value);
    } finally {
      complete?.(value);
    }
  };
  void ended.then(
    (result) => end(success, result),
    (error: unknown) => end(fail, plainFailure(asWxError(api, error)) as Failure),
  );
}

type Given<Result> = Omit<Result, "errMsg">;

/** A call of the platform: `run` gives the result without its `errMsg`, or throws WxError. */
export const wxCall =
  <Options extends WxCallbacks<Result, never>, Result extends WxResult = WxResult>(
    api: string,
    run: (options: Options) => Given<Result> | Promise<Given<Result>>,
  ): WxPlainCall<Options, Result> =>
  <Own extends Options = Options>(options?: Own) => {
    const given = options ?? ({} as Own);
    const ended = (async () => ({ ...(await run(given)), errMsg: `${api}:ok` }) as Result)().catch((error: unknown) => {
      throw asWxError(api, error);
    });
    if (!hasCallbacks(given)) return ended as PromiseWithout<Own, Result>;
    callBack(api, given, ended);
    return undefined as PromiseWithout<Own, Result>;
  };
