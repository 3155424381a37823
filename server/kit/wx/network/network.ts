/** Requests, uploads, downloads and sockets of the program. */
import { extname } from "node:path";
import { headerTexts, replyData, writeRequest } from "../../../contract/mini-program/wx-request.ts";
import { wrongParameter } from "../../../contract/mini-program/wx-failures.ts";
import type { WxCallbacks } from "../api/call.ts";
import type {
  ChunkReceived,
  WxDownloadOptions,
  DownloadProgress,
  WxDownloadResult,
  NetworkCalls,
  NetworkTypeResult,
  WxRequestOptions,
  WxRequestResult,
  WxUploadOptions,
  UploadProgress,
  WxUploadResult,
} from "../api/network.ts";
import { failed, wxCall } from "../answer.ts";
import type { DeviceFiles } from "../files.ts";
import { startTask, type NetworkContext } from "./http-task.ts";
import { multipartBody } from "./multipart.ts";
import { connectSocket } from "./socket.ts";

const percent = (part: number, total: number) => (total === 0 ? 0 : Math.floor((100 * part) / total));

const startRequest = <Data>(context: NetworkContext, options: WxRequestOptions<Data>) =>
  startTask<WxRequestResult<Data>, ChunkReceived>(context, {
    api: "request",
    options,
    write(report) {
      const { url, method, headers, body } = writeRequest(options);
      const bytes =
        body === undefined ? undefined : typeof body === "string" ? Buffer.from(body) : new Uint8Array(body);
      const { redirect, enableChunked } = options;
      const onChunk = enableChunked ? (part: Uint8Array) => report({ data: new Uint8Array(part).buffer }) : undefined;
      return { url, exchange: { method, headers, body: bytes, redirect, onChunk } };
    },
    read: ({ content }, received) => ({ ...received, data: replyData(content, options) as Data }),
  });

const startUpload = (context: NetworkContext, files: DeviceFiles, options: WxUploadOptions) =>
  startTask<WxUploadResult, UploadProgress>(context, {
    api: "uploadFile",
    options,
    async write(report) {
      const { url, filePath: path, name, formData = {}, header } = options;
      for (const [parameter, value] of Object.entries({ filePath: path, name }))
        if (typeof value !== "string") throw failed("uploadFile", wrongParameter(parameter, "String", value));
      const { body, type } = multipartBody(formData, { name, path, content: await files.read("uploadFile", path) });
      const ownType = (given: string) => given.toLowerCase() === "content-type";
      const headers = Object.fromEntries(Object.entries(headerTexts(header)).filter(([given]) => !ownType(given)));
      return {
        url,
        exchange: {
          method: "POST",
          headers: { ...headers, "content-type": type },
          body,
          onSent: (sent, total) =>
            report({
              progress: percent(sent, total),
              totalBytesSent: sent,
              totalBytesExpectedToSend: total,
            }),
        },
      };
    },
    read: ({ content }, received) => ({ ...received, data: new TextDecoder().decode(content) }),
  });

const startDownload = (context: NetworkContext, files: DeviceFiles, options: WxDownloadOptions) =>
  startTask<WxDownloadResult, DownloadProgress>(context, {
    api: "downloadFile",
    options,
    write: (report) => ({
      url: options.url,
      exchange: {
        method: "GET",
        headers: headerTexts(options.header),
        onReceived: (received, total) =>
          report({
            progress: percent(received, total),
            totalBytesWritten: received,
            totalBytesExpectedToWrite: total,
          }),
      },
    }),
    read({ content }, received) {
      const { filePath = "" } = options;
      if (filePath !== "") files.write(filePath, content);
      const tempFilePath = filePath === "" ? files.keep(content, extname(new URL(options.url).pathname)) : "";
      return { ...received, tempFilePath, filePath };
    },
  });

export const networkCalls = (context: NetworkContext, files: DeviceFiles): NetworkCalls => ({
  request(options) {
    const { task, events } = startRequest(context, options);
    return { ...task, onChunkReceived: events.on, offChunkReceived: events.off };
  },
  uploadFile(options) {
    const { task, events } = startUpload(context, files, options);
    return { ...task, onProgressUpdate: events.on, offProgressUpdate: events.off };
  },
  downloadFile(options) {
    const { task, events } = startDownload(context, files, options);
    return { ...task, onProgressUpdate: events.on, offProgressUpdate: events.off };
  },
  connectSocket: (options) => connectSocket(context, options),
  getNetworkType: wxCall<WxCallbacks<NetworkTypeResult>, NetworkTypeResult>("getNetworkType", () => ({
    networkType: "wifi",
    signalStrength: -50,
    hasSystemProxy: false,
    weakNet: false,
  })),
});
