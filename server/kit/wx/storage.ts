/** The storage of a program on its device. */
import { wrongParameter, wxFailures } from "../../contract/mini-program/wx-failures.ts";
import type { WxCallbacks, WxResult } from "./api/call.ts";
import type {
  GetStorageOptions,
  SetStorageOptions,
  StorageCalls,
  StorageInfo,
  StorageOptions,
  StoredResult,
} from "./api/device.ts";
import { failed, wxCall } from "./answer.ts";

const limitKb = 10_240;

/** What comes back of a value: dates stay dates, the rest is what JSON keeps. */
function copyOf(value: unknown): unknown {
  if (value === undefined) return "";
  return value instanceof Date ? new Date(value) : (JSON.parse(JSON.stringify(value)) as unknown);
}

type Stored<Options> = Options extends GetStorageOptions<infer Data> ? Data : never;

export function storageCalls(): StorageCalls {
  const stored = new Map<string, unknown>();
  const info = (): StorageInfo => {
    const characters = [...stored].reduce((sum, [key, value]) => sum + key.length + JSON.stringify(value).length, 0);
    return { keys: [...stored.keys()], currentSize: Math.ceil(characters / 1024), limitSize: limitKb };
  };
  function checkedKey(api: string, key: unknown): string {
    if (typeof key !== "string") throw failed(api, wrongParameter("key", "String", key));
    return key;
  }
  const calls: Pick<StorageCalls, "removeStorage" | "clearStorage" | "getStorageInfo"> = {
    removeStorage: wxCall<StorageOptions>("removeStorage", ({ key }) => {
      stored.delete(checkedKey("removeStorage", key));
      return {};
    }),
    clearStorage: wxCall<WxCallbacks<WxResult>>("clearStorage", () => {
      stored.clear();
      return {};
    }),
    getStorageInfo: wxCall<WxCallbacks<StorageInfo & WxResult>, StorageInfo & WxResult>("getStorageInfo", info),
  };
  return {
    ...calls,
    getStorage: (options) =>
      wxCall<typeof options, StoredResult<Stored<typeof options>>>("getStorage", ({ key }) => {
        if (!stored.has(checkedKey("getStorage", key))) throw failed("getStorage", wxFailures.noData);
        return { data: copyOf(stored.get(key)) as Stored<typeof options> };
      })(options) as never,
    setStorage: (options) =>
      wxCall<SetStorageOptions<unknown>>("setStorage", ({ key, data }) => {
        stored.set(checkedKey("setStorage", key), copyOf(data));
        return {};
      })(options) as never,
    getStorageSync: (key) => (stored.has(key) ? copyOf(stored.get(key)) : "") as never,
    setStorageSync: (key, data) => void stored.set(checkedKey("setStorageSync", key), copyOf(data)),
    removeStorageSync: (key) => void stored.delete(key),
    clearStorageSync: () => stored.clear(),
    getStorageInfoSync: info,
  };
}
