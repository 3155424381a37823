/** Values of Ollama's environment variables. */
import { trimEndOf } from "../../contract/trim-end-of.ts";

/** Blanks and quotes around a value do not count, as in Ollama; what is empty then is not set. */
export const environmentText = (value: string | undefined): string | undefined =>
  trimEndOf(value?.trim() ?? "", `"'`).replace(/^["']+/, "") || undefined;

/** A whole number; undefined when it is less than `least`, not set or bad, and of a bad one `warn` is told. */
export function environmentNumber(
  name: string,
  { env, least, warn }: { env: NodeJS.ProcessEnv; least: number; warn: (message: string) => void },
): number | undefined {
  const text = environmentText(env[name]);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value >= least ? value : undefined;
  warn(`${name}=${text} is not a whole number of 0 or more and is ignored`);
  return undefined;
}
