/** Writes the answer of a rule as a model of the Hermes family would, so that the parser of that family reads it. */
import type { ModelRule } from "../../contract/model/model-rules.ts";

/** The text beside thoughts and calls; undefined where the rule has none. */
export const ruleText = ({ text, json }: ModelRule): string | undefined =>
  text ?? (json === undefined ? undefined : JSON.stringify(json));

const callJson = ({ name, arguments: values = {} }: NonNullable<ModelRule["calls"]>[number]) =>
  JSON.stringify({ name, arguments: values });

/** A call that ends in the middle of its arguments. */
function brokenCall(call: NonNullable<ModelRule["calls"]>[number]): string {
  const whole = callJson(call);
  const { length } = JSON.stringify(call.arguments ?? {});
  return `<tool_call>\n${whole.slice(0, whole.length - 1 - Math.ceil(length / 2))}`;
}

function callsText({ calls = [], fault }: ModelRule): string {
  const last = calls.at(-1);
  const isBroken = fault?.kind === "broken_call" && last !== undefined;
  const whole = (isBroken ? calls.slice(0, -1) : calls).map((call) => `<tool_call>\n${callJson(call)}\n</tool_call>`);
  return [...whole, ...(isBroken ? [brokenCall(last)] : [])].join("\n");
}

/**
 * The text of an answer whose beginning may have been written already: with an open thought, that goes on. Thoughts are
 * left out where the request wants none.
 */
export function writeAnswer(rule: ModelRule, begun: string, isThinking: boolean): string {
  const thinking = isThinking ? (rule.thinking ?? "") : "";
  const isInside = begun.trimEnd().endsWith("<think>");
  const open = isInside || thinking === "" ? "" : "<think>\n";
  const thoughts = isInside || thinking !== "" ? `${open}${thinking}\n</think>\n\n` : "";
  return `${thoughts}${ruleText(rule) ?? ""}${callsText(rule)}`;
}

/** The beginning of an answer that never leaves its thoughts, and the text that follows again and again. */
export const endlessThought = ({ thinking = "" }: ModelRule, begun: string) => ({
  open: begun.trimEnd().endsWith("<think>") ? "" : "<think>\n",
  repeated: `${thinking} `,
});
