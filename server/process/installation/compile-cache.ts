import { fileURLToPath } from "node:url";
import { isDependency } from "./optional-packages.ts";

const folder = fileURLToPath(
  new URL(isDependency ? "../../.cache/hearthkit" : "../node_modules/.cache/hearthkit", import.meta.url),
);

/**
 * For the environment of the services: where Node keeps the code that it has compiled, which takes half of the time of
 * their start. It goes with the packages that lie beside it; where nothing can be written, Node does without.
 */
export const compileCache = { NODE_COMPILE_CACHE: folder } as const;
