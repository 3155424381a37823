import { existsSync, realpathSync } from "node:fs";

/** Where a path leads: what replaces a file by renaming another to its name would replace the link itself. */
export const realFile = (file: string): string => (existsSync(file) ? realpathSync(file) : file);
