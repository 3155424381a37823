import { defaultDataDir } from "../settings/read-settings.ts";

/** What to type for an address of the console that is good for one login. */
export function openCommand(dataDir: string): string {
  if (dataDir === defaultDataDir()) return "hearth open --print";
  const isPlain = /^[\w./:\\-]+$/.test(dataDir);
  return `hearth open --print --data-dir ${isPlain ? dataDir : JSON.stringify(dataDir)}`;
}
