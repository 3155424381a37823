/** `uni` and `Taro`: the same calls, whose tasks also are promises. */
import type {
  NetworkCalls,
  WxDownloadOptions,
  WxDownloadResult,
  WxDownloadTask,
  WxRequestOptions,
  WxRequestResult,
  WxRequestTask,
  WxUploadOptions,
  WxUploadResult,
  WxUploadTask,
} from "./network.ts";

export interface PromisedCalls extends Omit<NetworkCalls, "request" | "uploadFile" | "downloadFile"> {
  request: <Data = string | Record<string, unknown> | ArrayBuffer>(
    options: WxRequestOptions<Data>,
  ) => Promise<WxRequestResult<Data>> & WxRequestTask;
  uploadFile: (options: WxUploadOptions) => Promise<WxUploadResult> & WxUploadTask;
  downloadFile: (options: WxDownloadOptions) => Promise<WxDownloadResult> & WxDownloadTask;
}
