/** What an answer waits for before its first word, as far as the model service says it. */
import type { ChatChunk } from "../../../server/contract/model/ollama.ts";

/** `since`: milliseconds since 1970; `fraction`: from 0 to 1; `completed` and `total`: tokens of the prompt. */
export type Wait = { readonly since: number } & (
  | { readonly for: "model" }
  | { readonly for: "loading"; readonly fraction: number }
  | { readonly for: "reading"; readonly completed: number; readonly total: number }
);

/** What is waited for after a line that says nothing of the answer. */
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
