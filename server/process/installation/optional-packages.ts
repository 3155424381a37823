/** Packages that Hearth can run without as a dependency of a project. Features that need one report how to add it. */
import { engineVersion, enginePackage } from "../../contract/model/gpu-engine.ts";

/** The commands that add them. The engine's own package would add its builds for GPUs, too: hundreds of MB. */
export const toAdd = {
  sharp: "npm install sharp@0.35",
  "@aws-sdk/client-s3": "npm install @aws-sdk/client-s3@3 @aws-sdk/s3-request-presigner@3",
  electron: "npm install electron@45",
  "node-llama-cpp": `npm install ${enginePackage(process.platform, process.arch)}@${engineVersion}`,
} as const;

/** Whether an import failed because the package is missing. */
export const isMissingPackage = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND";
