import { fileURLToPath } from "node:url";

/** The path of a file beside this bundle, in dist/. */
export const bundledFile = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
