/** Runs one task of the inspector in a process of its own, whose crash is a result, too. */
import { fileURLToPath } from "node:url";
import type { BlobSettings } from "../../app/uploads/open-blobs.ts";
import { askWorker, type Asking } from "../../supervisor/processes/ask-worker.ts";
import { packageVariables } from "../../supervisor/processes/process-environment.ts";

export type InspectorTask =
  | { readonly type: "load"; readonly module: "sharp" | "node-llama-cpp" }
  | { readonly type: "lock"; readonly file: string }
  | {
      readonly type: "database";
      readonly file: string;
      readonly inUse: boolean;
      /** The service with these tables. */
      readonly tables: "app" | "provider" | "none";
    }
  | {
      readonly type: "uploads";
      /** The database with the uploads. */
      readonly file: string;
      readonly inUse: boolean;
      /** The place of their contents. */
      readonly settings: BlobSettings;
      readonly reads: boolean;
    };

const entry = fileURLToPath(new URL("./doctor-inspector.js", import.meta.url));

/** @throws Error with the reason for a missing result; the signal's reason */
export const askInspector = <Result>(task: InspectorTask, asking: Asking): Promise<Result> => {
  const variables = task.type === "uploads" ? packageVariables(process.env, task.settings) : {};
  return askWorker({ name: "inspector", entry, variables }, task, asking);
};
