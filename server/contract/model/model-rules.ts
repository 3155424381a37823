/**
 * The rules of a scripted model: a model without weights, for tests. Each request gets the answer of the first rule that
 * matches it. Rules are a file in YAML or JSON, or an object of `startHearth`.
 */
import { z } from "zod";
import { dictionary, list } from "../bounded-lists.ts";

const wholeNumber = z.int().min(0);
const milliseconds = z.int().min(0).max(600_000);

const textForms = ["equals", "contains", "matches"] as const;
const textMatchSchema = z
  .strictObject({
    equals: z.string().optional().describe("The whole text, without white space around it."),
    contains: z.string().optional().describe("Part of the text. Case matters."),
    matches: z.string().optional().describe("Regular expression for a part of the text."),
  })
  .refine((match) => textForms.filter((form) => match[form] !== undefined).length === 1, {
    error: `must have one of ${textForms.join(", ")}`,
  });
export type TextMatch = z.output<typeof textMatchSchema>;

const conditionSchema = z.strictObject({
  user: textMatchSchema.optional().describe("Text of the last user message."),
  system: textMatchSchema.optional().describe("Text of the system messages."),
  role: z.string().optional().describe("Role of the last message."),
  turns: z
    .union([wholeNumber, z.strictObject({ least: wholeNumber.optional(), most: wholeNumber.optional() })], {
      error: "must be a whole number, or { least, most }",
    })
    .optional()
    .describe("Number of user messages."),
  images: z.boolean().optional().describe("Whether a message has images."),
  model: z.string().optional().describe("Model name from the client."),
  tools: z
    .union([z.boolean(), list(z.string())], { error: "must be true, false, or a list of names" })
    .optional()
    .describe("Whether the request offers tools, or the names of required tools."),
  tool_result: z
    .union([z.boolean(), textMatchSchema], { error: "must be true, false, or have one of equals, contains, matches" })
    .optional()
    .describe("Whether the last message is the result of a tool, or its text."),
  format: z.boolean().optional().describe("Whether the request demands JSON or a schema."),
});
export type RuleCondition = z.output<typeof conditionSchema>;

const after = wholeNumber.optional().describe("Number of tokens before the failure. Default: 0.");

const faultSchema = z.discriminatedUnion(
  "kind",
  [
    z.strictObject({
      kind: z.literal("error").describe("Refuse the request, or end the answer with an error."),
      status: z.int().min(400).max(599).describe("HTTP status, for example 429, 500 or 529."),
      message: z.string().optional().describe("Text of the error."),
      retry_after: wholeNumber.optional().describe("Seconds in the header Retry-After."),
      after_tokens: after,
    }),
    z.strictObject({
      kind: z.literal("cut").describe("Close the connection."),
      after_tokens: after,
    }),
    z.strictObject({
      kind: z
        .literal("broken_call")
        .describe("End the last call in the middle of its arguments, as at the token limit."),
    }),
    z.strictObject({
      kind: z.literal("endless_thought").describe("Repeat `thinking` until the token limit of the answer."),
    }),
  ],
  { error: (issue) => (issue.code === "invalid_union" ? faultKinds : undefined) },
);
const faultKinds = "must have a kind: error, cut, broken_call or endless_thought";
export type RuleFault = z.output<typeof faultSchema>;

const callSchema = z.strictObject({
  name: z.string().min(1),
  arguments: dictionary(z.string(), z.unknown()).optional().describe("Default: none."),
});

const answers = ["text", "json", "thinking", "calls", "fault"] as const;
const ruleSchema = z
  .strictObject({
    when: conditionSchema
      .optional()
      .describe("Conditions, all required. A rule without conditions matches every request."),
    times: z
      .int()
      .min(1)
      .optional()
      .describe("Number of requests that the rule answers. Later requests go to the next rules."),
    text: z.string().optional(),
    json: z.unknown().optional().describe("Value to send as JSON text."),
    thinking: z.string().optional(),
    calls: list(callSchema).max(100).optional(),
    usage: z
      .strictObject({
        prompt_tokens: wholeNumber.optional(),
        cached_tokens: wholeNumber.optional().describe("Number of cached prompt tokens. Default: 0."),
        completion_tokens: wholeNumber.optional(),
      })
      .optional()
      .describe("Token counts to report instead of the real ones."),
    delay: z
      .strictObject({
        first_token_ms: milliseconds.optional().describe("Delay before the first token, in ms."),
        per_token_ms: milliseconds.optional().describe("Delay before each further token, in ms."),
      })
      .optional(),
    fault: faultSchema.optional(),
  })
  .superRefine((rule, context) => {
    const refuse = (message: string, ...path: string[]) => context.addIssue({ code: "custom", message, path });
    if (answers.every((name) => rule[name] === undefined)) refuse(`must have one of ${answers.join(", ")}`);
    if (rule.text !== undefined && rule.json !== undefined) refuse("must have text or json, not both");
    if (rule.fault?.kind === "broken_call" && !rule.calls?.length) refuse("broken_call needs calls", "fault");
    if (rule.fault?.kind === "endless_thought" && !rule.thinking) refuse("endless_thought needs thinking", "fault");
  });
export type ModelRule = z.output<typeof ruleSchema>;

export const modelRulesSchema = z.strictObject({
  rules: list(ruleSchema)
    .min(1)
    .max(1_000)
    .describe("Rules in order. The first match answers. To set a default, put a rule without `when` last."),
});
/** Rules as their author writes them. */
export type RulesInput = z.input<typeof modelRulesSchema>;
