import type { ProgressLine } from "../../../server/contract/ollama-library.ts";
import type { ModelClient } from "../../api/model-client.ts";
import type { JobWish } from "./model-jobs.ts";

/** Asks the model service for what a job is about. */
export const runModelJob =
  (client: ModelClient) =>
  (wish: JobWish, signal: AbortSignal): AsyncIterable<ProgressLine | number> => {
    switch (wish.kind) {
      case "pull":
        return client.pull({ model: wish.model, insecure: wish.insecure }, signal);
      case "create":
        return client.create({ model: wish.model, modelfile: wish.modelfile }, signal);
      case "load":
        return client.load(wish, signal);
    }
  };
