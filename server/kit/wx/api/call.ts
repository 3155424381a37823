/** How each call of the platform ends: by its callbacks, or by a promise when it has none. */

export interface WxResult {
  /** The name of the call, and `:ok`. */
  errMsg: string;
}

export interface WxFailure {
  /** The name of the call, and `:fail` with the reason. */
  errMsg: string;
  /** The platform's number of the reason, if it has one. */
  errno?: number;
}

export interface WxCallbacks<Result, Failure extends WxFailure = WxFailure> {
  success?: (result: Result) => void;
  fail?: (failure: Failure) => void;
  /** Called after the others, with the same value. */
  complete?: (end: Result | Failure) => void;
}

/** A promise when the options have no callback. `any` as in the platform's own types, to which these are assignable. */
export type PromiseWithout<Options, Result> = Options extends {
  // oxlint-disable-next-line typescript/no-explicit-any -- the compiler compares conditions by identity
  success: any;
}
  ? void
  : // oxlint-disable-next-line typescript/no-explicit-any -- the compiler compares conditions by identity
    Options extends { fail: any }
    ? void
    : // oxlint-disable-next-line typescript/no-explicit-any -- the compiler compares conditions by identity
      Options extends { complete: any }
      ? void
      : Promise<Result>;

export type WxCall<Options, Result> = <Own extends Options = Options>(options: Own) => PromiseWithout<Own, Result>;

/** A call whose options may be left out. */
export type WxPlainCall<Options, Result> = <Own extends Options = Options>(
  options?: Own,
) => PromiseWithout<Own, Result>;
