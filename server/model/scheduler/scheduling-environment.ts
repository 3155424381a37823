/** Ollama's environment variables that say how models are scheduled. */
import { environmentNumber, environmentText } from "../options/environment.ts";
import { parseKeepAlive } from "../options/go-duration.ts";
import type { SchedulerOptions } from "./port.ts";

export interface SchedulingSettings extends Partial<
  Pick<SchedulerOptions, "keepAliveMs" | "maxLoaded" | "maxQueue" | "parallel">
> {
  /** Tokens of the window where neither the request nor the model's parameters say. */
  readonly contextLength?: number;
  /** How long a load may go without progress, in milliseconds. */
  readonly loadStallMs?: number;
}

/**
 * What is not set, or 0 where 0 means "automatic", is left out. A bad value is as good as none: `warn` is told of it.
 * OLLAMA_NUM_PARALLEL unset means as many generations at a time as memory allows cheaply, at most 4 (our choice: Ollama
 * has one, whose cache each other conversation drives out).
 */
export function schedulingFrom(env: NodeJS.ProcessEnv, warn: (message: string) => void): SchedulingSettings {
  const settings: { -readonly [Name in keyof SchedulingSettings]: SchedulingSettings[Name] } = {};
  const number = (name: string, least: number) => environmentNumber(name, { env, least, warn });
  const parallel = number("OLLAMA_NUM_PARALLEL", 1);
  const maxLoaded = number("OLLAMA_MAX_LOADED_MODELS", 1);
  const maxQueue = number("OLLAMA_MAX_QUEUE", 0);
  const contextLength = number("OLLAMA_CONTEXT_LENGTH", 1);
  if (contextLength !== undefined) settings.contextLength = contextLength;
  if (parallel !== undefined) settings.parallel = parallel;
  if (maxLoaded !== undefined) settings.maxLoaded = maxLoaded;
  if (maxQueue !== undefined) settings.maxQueue = maxQueue;

  /** Milliseconds of a duration or a number of seconds; below 0 for ever. */
  const duration = (name: string): number | undefined => {
    const text = environmentText(env[name]);
    if (text === undefined) return undefined;
    try {
      return parseKeepAlive(/^-?\d+$/.test(text) ? Number(text) : text);
    } catch (error) {
      warn(`${name}=${text} is no duration (${(error as Error).message}); it is not used`);
      return undefined;
    }
  };
  const keepAliveMs = duration("OLLAMA_KEEP_ALIVE");
  const loadStallMs = duration("OLLAMA_LOAD_TIMEOUT");
  if (keepAliveMs !== undefined) settings.keepAliveMs = keepAliveMs;
  if (loadStallMs !== undefined) settings.loadStallMs = loadStallMs === 0 ? Infinity : loadStallMs;
  return settings;
}
