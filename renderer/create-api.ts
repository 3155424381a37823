/** Creates the page's connections to the server. */
import { createModelClient } from "../server/contract/model/model-client.ts";
import { createLiveEvents } from "./api/events/event-source.ts";
import type { OpenStream } from "./api/events/keep-open.ts";
import { createAccess } from "./api/http/access.ts";
import { createCall, createSend } from "./api/http/call.ts";
import { modelTransport } from "./api/http/model-transport.ts";
import { createSendBody, sendBodyWhenIn } from "./api/http/send-body.ts";
import type { Api } from "./api/use-api.ts";

/** Asks for messages in the language of the page, which need not be the browser's. */
function inPageLanguage(init: RequestInit = {}): RequestInit {
  const headers = new Headers(init.headers);
  headers.set("accept-language", document.documentElement.lang);
  return { ...init, headers };
}

/** `messageOf`: the message for a request without an answer, or with an incomplete one. */
export function createApi(messageOf: (failure: "offline" | "cut") => string) {
  // The server decides when it sends the page: no request has to fail first. Vite's page says nothing.
  const access = createAccess(document.querySelector('meta[name="hearth-login"]') === null);
  const send = createSend((input, init) => fetch(input, inPageLanguage(init)), access, messageOf);
  const sendBody = createSendBody(() => messageOf("offline"));
  const call = createCall(send);
  const openStream: OpenStream = (path) => access.whenIn()?.then(() => new EventSource(path)) ?? new EventSource(path);
  const api: Api = {
    access,
    call,
    send,
    openStream,
    models: createModelClient(modelTransport(send, sendBodyWhenIn(access, sendBody))),
    live: createLiveEvents(() => openStream("/console/api/events/stream")),
  };
  return { api, sendBody };
}
