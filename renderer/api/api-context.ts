import { createContext, useContext } from "react";
import type { Call, Send } from "./call.ts";
import type { Access } from "./access.ts";
import type { LiveEvents } from "./event-source.ts";
import type { OpenStream } from "./keep-open.ts";
import type { ModelClient } from "./model-client.ts";

/** The page's connections to the server, created once in main.tsx. */
export interface Api {
  access: Access;
  /** Calls one of Hearth's operations, by its declaration in server/contract. */
  call: Call;
  /** Any other request to the page's origin: bytes, streams, another service's wire format. */
  send: Send;
  openStream: OpenStream;
  live: LiveEvents;
  models: ModelClient;
}

export const ApiContext = createContext<Api | undefined>(undefined);

export function useApi(): Api {
  const api = useContext(ApiContext);
  if (!api) throw new Error("no ApiContext above this component");
  return api;
}
