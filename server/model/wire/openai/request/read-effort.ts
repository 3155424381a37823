import type { ThinkLevel } from "../../../chat-completion.ts";
import { OllamaError } from "../../../ollama-error.ts";

const efforts = new Map<string, false | ThinkLevel>([
  ["minimal", "low"],
  ["low", "low"],
  ["medium", "medium"],
  ["high", "high"],
  ["xhigh", "max"],
  ["ultra", "max"],
  ["max", "max"],
  ["none", false],
]);

/** The thinking options for a reasoning effort; undefined without one. @throws OllamaError 400 */
export function readEffort(effort: string | undefined): undefined | false | ThinkLevel {
  if (effort === undefined || effort === "") return undefined;
  const think = efforts.get(effort);
  if (think === undefined) {
    const known = new Intl.ListFormat("en", { type: "disjunction" }).format(
      [...efforts.keys()].map((name) => JSON.stringify(name)),
    );
    throw new OllamaError(400, `invalid reasoning value: ${JSON.stringify(effort)} (must be ${known})`);
  }
  return think;
}
