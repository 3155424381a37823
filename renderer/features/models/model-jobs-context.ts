import { createContext, useContext, useSyncExternalStore } from "react";
import type { ModelJob, ModelJobs } from "./model-jobs.ts";

/** The pulls, creations and loads of the page; made in main.tsx. */
export const ModelJobsContext = createContext<ModelJobs | undefined>(undefined);

export function useModelJobs(): { jobs: readonly ModelJob[]; actions: ModelJobs } {
  const actions = useContext(ModelJobsContext);
  if (!actions) throw new Error("no ModelJobsContext above this component");
  return { jobs: useSyncExternalStore(actions.subscribe, actions.jobs), actions };
}
