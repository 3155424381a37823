import { createContext, useContext } from "react";
import type { ConsoleClient } from "./client.ts";
import type { LiveEvents } from "./event-source.ts";
import type { ModelClient } from "./model-client.ts";

/** Everything by which the page talks; made once in main.tsx. */
export interface Api {
  client: ConsoleClient;
  live: LiveEvents;
  models: ModelClient;
}

export const ApiContext = createContext<Api | undefined>(undefined);

export function useApi(): Api {
  const api = useContext(ApiContext);
  if (!api) throw new Error("no ApiContext above this component");
  return api;
}
