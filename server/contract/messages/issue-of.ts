import { inEnglish } from "./in-english.ts";
import type { Message } from "./message.ts";

/** An issue for zod's `addIssue` that keeps its message with the values. */
export const issueOf = (problem: Message) =>
  ({ code: "custom", message: inEnglish(problem), params: { problem } }) as const;
