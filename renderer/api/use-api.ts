import { serviceKey, useService } from "../ui/services.ts";
import type { Call, Send } from "./http/call.ts";
import type { LoginAccess } from "./http/access.ts";
import type { LiveEvents } from "./events/event-source.ts";
import type { OpenStream } from "./events/keep-open.ts";
import type { ModelClient } from "../../server/contract/model/model-client.ts";

/** The page's connections to the server, created once in main.tsx. */
export interface Api {
  access: LoginAccess;
  /** Calls one of Hearth's operations, by its declaration in server/contract. */
  call: Call;
  /** Any other request to the page's origin: bytes, streams, another service's wire format. */
  send: Send;
  openStream: OpenStream;
  live: LiveEvents;
  models: ModelClient;
}

export const apiServiceKey = serviceKey<Api>("api");
export const useApi = (): Api => useService(apiServiceKey);
