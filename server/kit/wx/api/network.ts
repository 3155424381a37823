/** Requests, uploads, downloads and sockets. */
import type { WxCallbacks, WxPlainCall, WxResult } from "./call.ts";

/** Names of headers are as the server sends them, or as the option `header_names` says. */
export type WxHeader = Record<string, string>;

export interface WxRequestResult<Data = string | Record<string, unknown> | ArrayBuffer> extends WxResult {
  data: Data;
  /** Any status is a success. */
  statusCode: number;
  header: WxHeader;
  /** The values of `Set-Cookie`. The platform keeps no cookies. */
  cookies: string[];
}
export interface WxRequestOptions<Data = string | Record<string, unknown> | ArrayBuffer> extends WxCallbacks<
  WxRequestResult<Data>
> {
  url: string;
  method?: "OPTIONS" | "GET" | "HEAD" | "POST" | "PUT" | "DELETE" | "TRACE" | "CONNECT";
  /** The query of a GET, otherwise the body. */
  data?: string | object | ArrayBuffer;
  header?: Record<string, unknown>;
  /** `json`, the default: JSON is parsed. */
  dataType?: string;
  responseType?: "text" | "arraybuffer";
  /** In ms. Default: 60,000. */
  timeout?: number;
  redirect?: "follow" | "manual";
  enableChunked?: boolean;
}

export interface HeadersReceived {
  header: WxHeader;
  statusCode: number;
  cookies: string[];
}
/** A task of the network: it can be aborted, and tells of the reply's headers. */
export interface HttpTask {
  abort: () => void;
  onHeadersReceived: (listener: (result: HeadersReceived) => void) => void;
  /** @param listener all of them unless given */
  offHeadersReceived: (listener?: (result: HeadersReceived) => void) => void;
}

export interface ChunkReceived {
  data: ArrayBuffer;
}
export interface WxRequestTask extends HttpTask {
  /** Called for each part of the reply as it comes, with the option `enableChunked`. */
  onChunkReceived: (listener: (result: ChunkReceived) => void) => void;
  offChunkReceived: (listener?: (result: ChunkReceived) => void) => void;
}

export interface UploadProgress {
  /** Percent. */
  progress: number;
  totalBytesSent: number;
  totalBytesExpectedToSend: number;
}
export interface WxUploadResult extends WxResult {
  /** The text of the reply, never parsed. */
  data: string;
  statusCode: number;
  header: WxHeader;
  cookies: string[];
}
export interface WxUploadOptions extends WxCallbacks<WxUploadResult> {
  url: string;
  /** A file of the program, or one of the machine that runs the test. */
  filePath: string;
  /** The name of the field. */
  name: string;
  header?: Record<string, unknown>;
  /** Further fields. */
  formData?: Record<string, unknown>;
  timeout?: number;
}
export interface WxUploadTask extends HttpTask {
  onProgressUpdate: (listener: (progress: UploadProgress) => void) => void;
  offProgressUpdate: (listener?: (progress: UploadProgress) => void) => void;
}

export interface DownloadProgress {
  /** Percent. 0 while the length is unknown. */
  progress: number;
  totalBytesWritten: number;
  totalBytesExpectedToWrite: number;
}
export interface WxDownloadResult extends WxResult {
  /** Empty when the options name a path. */
  tempFilePath: string;
  /** Empty unless the options name a path. */
  filePath: string;
  statusCode: number;
  header: WxHeader;
  cookies: string[];
}
export interface WxDownloadOptions extends WxCallbacks<WxDownloadResult> {
  url: string;
  /** The path, below `wx.env.USER_DATA_PATH`, that the file gets. */
  filePath?: string;
  header?: Record<string, unknown>;
  timeout?: number;
}
export interface WxDownloadTask extends HttpTask {
  onProgressUpdate: (listener: (progress: DownloadProgress) => void) => void;
  offProgressUpdate: (listener?: (progress: DownloadProgress) => void) => void;
}

export interface WxSocketOptions extends WxCallbacks<WxResult> {
  url: string;
  header?: Record<string, unknown>;
  protocols?: string[];
  timeout?: number;
}
export interface SocketSendOptions extends WxCallbacks<WxResult> {
  data: string | ArrayBuffer;
}
export interface SocketCloseOptions extends WxCallbacks<WxResult> {
  /** Default: 1000. */
  code?: number;
  reason?: string;
}
export interface WxSocketTask {
  /** As of a browser's WebSocket: 0 connecting, 1 open, 2 closing, 3 closed. */
  readonly readyState: number;
  send: (options: SocketSendOptions) => void;
  close: (options?: SocketCloseOptions) => void;
  onOpen: (listener: (result: { header: WxHeader }) => void) => void;
  onMessage: (listener: (result: { data: string | ArrayBuffer }) => void) => void;
  onError: (listener: (result: { errMsg: string }) => void) => void;
  onClose: (listener: (result: { code: number; reason: string }) => void) => void;
}

export interface NetworkCalls {
  request: <Data = string | Record<string, unknown> | ArrayBuffer>(options: WxRequestOptions<Data>) => WxRequestTask;
  uploadFile: (options: WxUploadOptions) => WxUploadTask;
  downloadFile: (options: WxDownloadOptions) => WxDownloadTask;
  connectSocket: (options: WxSocketOptions) => WxSocketTask;
  getNetworkType: WxPlainCall<WxCallbacks<NetworkTypeResult>, NetworkTypeResult>;
}

export interface NetworkTypeResult extends WxResult {
  networkType: "wifi";
  /** In dBm. */
  signalStrength: number;
  hasSystemProxy: boolean;
  weakNet: boolean;
}
