import type { ModelTransport } from "../../../server/contract/model/model-client.ts";
import type { SendBody } from "./body-request.ts";
import { modelPath, type Send } from "./call.ts";
import { ConsoleError, messageOf } from "./console-error.ts";

/** The model service behind the application server's proxy. All its errors are ConsoleErrors. */
export const modelTransport = (send: Send, sendBody: SendBody): ModelTransport => ({
  send: (path, init) => send(modelPath + path, init),
  async sendFile(path, body, signal, onProgress) {
    const { status, text } = await sendBody({ method: "POST", path: modelPath + path, body, signal, onProgress });
    if (status >= 400) throw new ConsoleError(status, messageOf(text, `HTTP ${status}`));
  },
  refusal: (status, message) => new ConsoleError(status, message),
});
