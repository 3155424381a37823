/** Why an answer has not started yet, from the progress lines of the model service. */
import type { ChatChunk } from "../../../../server/contract/model/ollama.ts";

/** `since`: milliseconds since 1970; `fraction`: from 0 to 1; `completed` and `total`: tokens of the prompt. */
export type Wait = { readonly since: number } & (
  | { readonly for: "model" }
  | { readonly for: "loading"; readonly fraction: number }
  | { readonly for: "reading"; readonly completed: number; readonly total: number }
);

/** The reason after a line without a part of the answer. */
export function waitAfter(
  before: Wait,
  { load_progress, prompt_progress }: Pick<ChatChunk, "load_progress" | "prompt_progress">,
  now: number,
): Wait {
  const since = (next: Wait["for"]) => (before.for === next ? before.since : now);
  if (prompt_progress) return { for: "reading", since: since("reading"), ...prompt_progress };
  if (load_progress !== undefined) return { for: "loading", since: since("loading"), fraction: load_progress };
  return before;
}
