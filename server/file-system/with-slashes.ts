import { sep } from "node:path";

/** A path of this machine with slashes between its names. Elsewhere than on Windows a backslash is a character of a name. */
export const withSlashes = (path: string): string => (sep === "\\" ? path.replaceAll("\\", "/") : path);
