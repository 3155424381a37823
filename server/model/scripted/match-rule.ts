/** Whether a request meets the conditions of a rule. */
import type { RuleCondition, TextMatch } from "../../contract/model/model-rules.ts";
import { foreignDeadlineMs } from "../../foreign/foreign-limits.ts";
import { createForeignPattern } from "../../foreign/foreign-pattern.ts";
import { lastText, type RuleRequest } from "./rule-request.ts";

/** @throws OutOfTimeError for a regular expression that takes too long */
function isMatch({ equals, contains, matches }: TextMatch, text: string): boolean {
  if (equals !== undefined) return text.trim() === equals.trim();
  if (contains !== undefined) return text.includes(contains);
  return createForeignPattern(matches ?? "").test(text, foreignDeadlineMs);
}

/** Tests for each condition of a rule. */
const tests: {
  readonly [Name in keyof RuleCondition]-?: (
    condition: NonNullable<RuleCondition[Name]>,
    asked: RuleRequest,
  ) => boolean;
} = {
  user: (match, asked) => isMatch(match, lastText(asked, "user")),
  system: (match, { messages }) =>
    isMatch(match, messages.flatMap(({ role, content }) => (role === "system" ? [content] : [])).join("\n")),
  role: (role, { messages }) => messages.at(-1)?.role === role,
  turns(condition, { messages }) {
    const turns = messages.filter(({ role }) => role === "user").length;
    const { least = 0, most = Infinity } =
      typeof condition === "number" ? { least: condition, most: condition } : condition;
    return turns >= least && turns <= most;
  },
  images: (has, { messages }) => messages.some(({ images }) => images > 0) === has,
  model: (name, { model }) => model === name,
  tools: (names, { tools }) =>
    typeof names === "boolean"
      ? tools.length > 0 === names
      : names.every((name) => tools.some((tool) => tool.name === name)),
  tool_result(condition, { messages }) {
    const last = messages.at(-1);
    const isResult = last?.role === "tool";
    return typeof condition === "boolean" ? isResult === condition : isResult && isMatch(condition, last.content);
  },
  format: (has, { format }) => (format !== undefined) === has,
};

/** @throws OutOfTimeError for a regular expression that takes too long */
export const meets = (when: RuleCondition, asked: RuleRequest): boolean =>
  Object.entries(when).every(
    ([name, condition]) => condition === undefined || tests[name as keyof RuleCondition](condition as never, asked),
  );
