import { fileURLToPath } from "node:url";
import { isDependency } from "./is-dependency.ts";

const folder = fileURLToPath(
  new URL(isDependency ? "../../.cache/hearthkit" : "../node_modules/.cache/hearthkit", import.meta.url),
);

/**
 * Variables of the services for Node's compile cache, which halves the time of their start. It lies next to the
 * packages; if nothing can be written there, Node works without it.
 */
export const compileCache = { NODE_COMPILE_CACHE: folder } as const;
