/** `wx.connectSocket`, over the WebSocket of Node. */
import { networkReason, wxFailures, type FailureReason } from "../../../contract/mini-program/wx-failures.ts";
import { headerTexts } from "../../../contract/mini-program/wx-request.ts";
import type { WxCallbacks, WxResult } from "../api/call.ts";
import type { WxSocketOptions, WxSocketTask } from "../api/network.ts";
import { callBack, failed } from "../answer.ts";
import type { NetworkContext } from "./http-task.ts";
import { checkedUrl } from "./servers.ts";

/** Node's takes headers, too. */
type NodeWebSocket = new (
  url: string,
  options: { protocols: readonly string[]; headers: Readonly<Record<string, string>> },
) => WebSocket;

const closed = 3;

function end(api: string, options: WxCallbacks<WxResult>, run: () => FailureReason | undefined): void {
  callBack(
    api,
    options,
    (async () => {
      const reason = run();
      if (reason) throw failed(api, reason);
      return { errMsg: `${api}:ok` };
    })(),
  );
}

export function connectSocket({ domains, own }: NetworkContext, options: WxSocketOptions): WxSocketTask {
  const errors = new Set<(result: { errMsg: string }) => void>();
  let socket: WebSocket | undefined;
  const opened = Promise.withResolvers<WebSocket>();
  opened.promise.catch(() => undefined); // the call's own callbacks tell it
  end("connectSocket", options, () => {
    try {
      const url = checkedUrl("connectSocket", options.url, domains);
      socket = new (WebSocket as unknown as NodeWebSocket)(url.href, {
        protocols: options.protocols ?? [],
        headers: { ...own, ...headerTexts(options.header) },
      });
      socket.binaryType = "arraybuffer";
      opened.resolve(socket);
      return undefined;
    } catch (error) {
      opened.reject(error);
      throw error;
    }
  });
  /** Listeners may be added before the socket is there. */
  const listen = (name: string, listener: (event: Event) => void) =>
    void opened.promise.then(
      (made) => made.addEventListener(name, listener),
      () => undefined,
    );

  listen("error", () => {
    const { text } = networkReason("ERR_FAILED");
    for (const listener of errors) listener({ errMsg: `connectSocket:fail ${text}` });
  });
  return {
    get readyState() {
      return socket?.readyState ?? closed;
    },
    send: ({ data, ...callbacks }) =>
      end("sendSocketMessage", callbacks, () => {
        if (socket?.readyState !== WebSocket.OPEN) return wxFailures.socketNotConnected;
        socket.send(data);
        return undefined;
      }),
    close: ({ code = 1000, reason = "", ...callbacks } = {}) =>
      end("closeSocket", callbacks, () => {
        if (socket === undefined || socket.readyState >= WebSocket.CLOSING) return wxFailures.socketNotConnected;
        socket.close(code, reason);
        return undefined;
      }),
    onOpen: (listener) => listen("open", () => listener({ header: {} })),
    onMessage: (listener) =>
      listen("message", (event) => listener({ data: (event as MessageEvent).data as string | ArrayBuffer })),
    onError: (listener) => void errors.add(listener),
    onClose: (listener) =>
      listen("close", (event) => {
        const { code, reason } = event as CloseEvent;
        listener({ code, reason });
      }),
  };
}
