/** Sends a body and reports its progress. */
import type { LoginAccess } from "./access.ts";
import type { SendBody } from "./body-request.ts";
import { asksForLogin, ConsoleError } from "./console-error.ts";

/** Uses XMLHttpRequest, because fetch reports no progress. `noAnswer`: the message if no answer comes. */
export const createSendBody =
  (noAnswer: () => string): SendBody =>
  (request) => {
    const { method, path, headers = {}, body, signal, onProgress } = request;
    return new Promise((resolve, reject) => {
      const xhr = new XMLHttpRequest();
      xhr.open(method, path);
      xhr.setRequestHeader("accept-language", document.documentElement.lang);
      for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
      xhr.upload.onprogress = (event) => onProgress(event.loaded, event.total);
      xhr.onload = () => resolve({ status: xhr.status, text: xhr.responseText });
      xhr.onerror = () => reject(new ConsoleError(0, noAnswer()));
      xhr.onabort = () => reject(new DOMException("cancelled", "AbortError"));
      signal.addEventListener("abort", () => xhr.abort(), { once: true });
      if (signal.aborted) reject(new DOMException("cancelled", "AbortError"));
      else xhr.send(body);
    });
  };

/** The same for the console's API: waits for a login if the server requires one, then sends the body again. */
export const sendBodyWhenIn =
  (access: LoginAccess, sendBody: SendBody): SendBody =>
  async (request) => {
    for (;;) {
      await access.whenIn(request.signal);
      const since = access.now();
      const reply = await sendBody(request);
      if (!asksForLogin(reply.status, reply.text)) return reply;
      access.lost(since);
    }
  };
