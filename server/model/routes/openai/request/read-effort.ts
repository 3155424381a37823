import type { ThinkLevel } from "../../../chat-completion.ts";
import { OllamaError } from "../../../ollama-error.ts";

const efforts = new Map<string, false | ThinkLevel>([
  ["none", false],
  ["minimal", "low"],
  ["low", "low"],
  ["medium", "medium"],
  ["high", "high"],
  ["max", "max"],
  ["xhigh", "max"],
  ["ultra", "max"],
]);

/** The thinking options for a reasoning effort; undefined without one. @throws OllamaError 400 */
export function readEffort(effort: string | undefined): undefined | false | ThinkLevel {
  if (effort === undefined || effort === "") return undefined;
  const think = efforts.get(effort);
  if (think === undefined)
    throw new OllamaError(
      400,
      `invalid reasoning value: ${JSON.stringify(effort)} (must be "high", "medium", "low", "max", or "none")`,
    );
  return think;
}
