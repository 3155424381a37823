import type { Logger } from "pino";
import { loadWhenAsked } from "../load-when-asked.ts";
import type { Middleware } from "../middleware.ts";
import type { ApiInput } from "./describe-api.ts";
import type { createDocumentation } from "./documentation-file.ts";

export interface ApiDocsOptions {
  /** Path of the interactive description. */
  readonly page: string;
  /** Path of the machine-readable description. */
  readonly document: string;
  /** Called for each request, because collections change while the server runs. */
  readonly api: () => Omit<ApiInput, "textOf">;
  readonly documentation: ReturnType<typeof createDocumentation>;
  readonly log: Logger;
}

/** The interactive description and the machine-readable one behind it. */
export const createApiDocs = (options: ApiDocsOptions): Middleware =>
  loadWhenAsked(async () => (await import("./serve-api-docs.ts")).serveApiDocs(options));
