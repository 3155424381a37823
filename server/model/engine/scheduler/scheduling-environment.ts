/** Ollama's environment variables for scheduling. */
import { environmentNumber, environmentText } from "../../options/environment.ts";
import { parseKeepAlive } from "../../options/go-duration.ts";
import type { SchedulerOptions } from "./port.ts";

export interface SchedulingSettings extends Partial<
  Pick<SchedulerOptions, "keepAliveMs" | "maxLoaded" | "maxQueue" | "parallel">
> {
  /** Tokens of the window when neither the request nor the model sets it. */
  readonly contextLength?: number;
  /** How long a load may go without progress, in milliseconds. */
  readonly loadStallMs?: number;
}

/**
 * Unset variables are left out, as is 0 where it means "automatic". A bad value is ignored and passed to `warn`.
 * Without OLLAMA_NUM_PARALLEL, as many generations run at a time as memory allows cheaply, at most 4 (our choice:
 * Ollama runs one, and other conversations evict its cache).
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

  /** Milliseconds from a duration or a number of seconds; negative means for ever. */
  const duration = (name: string): number | undefined => {
    const text = environmentText(env[name]);
    if (text === undefined) return undefined;
    try {
      return parseKeepAlive(/^-?\d+$/.test(text) ? Number(text) : text);
    } catch (error) {
      warn(`${name}=${text} is not a duration (${(error as Error).message}) and is ignored`);
      return undefined;
    }
  };
  const keepAliveMs = duration("OLLAMA_KEEP_ALIVE");
  const loadStallMs = duration("OLLAMA_LOAD_TIMEOUT");
  if (keepAliveMs !== undefined) settings.keepAliveMs = keepAliveMs;
  if (loadStallMs !== undefined) settings.loadStallMs = loadStallMs === 0 ? Infinity : loadStallMs;
  return settings;
}
