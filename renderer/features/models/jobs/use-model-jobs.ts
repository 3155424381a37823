import { useStore } from "zustand";
import { useService } from "../../../ui/services.ts";
import { modelJobsKey, type ModelJob, type ModelJobs } from "./model-jobs.ts";

export function useModelJobs(): { jobs: readonly ModelJob[]; actions: ModelJobs } {
  const actions = useService(modelJobsKey);
  return { jobs: useStore(actions.jobs), actions };
}
