import { compileCache } from "../process/installation/compile-cache.ts";
import { temporaryVariable } from "../process/lifetime/temporary-folders.ts";

/**
 * Variables that Hearth reads in addition to its settings. The caller's environment may be that of another Hearth, or
 * of an Ollama.
 */
const readVariable = /^(?:HEARTH_(?:COMMAND|CONFIGURATION|CONSOLE_TOKEN)|OLLAMA_\w+)$/i;

/**
 * The environment of the services, without options except the variables that settings name.
 * @param temporary folders that the services remove if this process ends without having stopped them
 */
export function ownEnvironment(
  temporary: readonly string[],
  named: readonly (string | undefined)[] = [],
): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => named.includes(name) || !readVariable.test(name));
  return { ...compileCache, ...Object.fromEntries(kept), [temporaryVariable]: JSON.stringify(temporary) };
}
