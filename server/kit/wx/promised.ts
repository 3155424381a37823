/** The calls as `uni` and `Taro` have them. */
import type { WxCallbacks, WxFailure, WxResult } from "./api/call.ts";
import type { NetworkCalls } from "./api/network.ts";
import type { PromisedCalls } from "./api/promised.ts";
import { WxError } from "./answer.ts";

/** Gives a call's task the methods of a promise. Its rejection may be left alone where a callback is told of the failure. */
function promised<Result extends WxResult, Options extends WxCallbacks<Result>, Task extends object>(
  call: (options: Options) => Task,
  options: Options,
): Promise<Result> & Task {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  if (options.fail ?? options.complete) promise.catch(() => undefined);
  const task = call({
    ...options,
    success(result: Result) {
      resolve(result);
      options.success?.(result);
    },
    fail(failure: WxFailure) {
      reject(new WxError(failure.errMsg, failure.errno));
      options.fail?.(failure);
    },
  });
  return Object.assign(promise, task);
}

export const promisedCalls = (calls: NetworkCalls): PromisedCalls => ({
  connectSocket: calls.connectSocket,
  getNetworkType: calls.getNetworkType,
  request: (options) => promised(calls.request, options),
  uploadFile: (options) => promised(calls.uploadFile, options),
  downloadFile: (options) => promised(calls.downloadFile, options),
});
