import { loadWhenAsked } from "../load-when-asked.ts";
import type { Middleware } from "../middleware.ts";
import type { ApiDocsOptions } from "./serve-api-docs.ts";

/** The interactive description and the machine-readable one behind it. */
export const createApiDocs = (options: ApiDocsOptions): Middleware =>
  loadWhenAsked(async () => (await import("./serve-api-docs.ts")).serveApiDocs(options));
