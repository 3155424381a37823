import type { Log } from "../../process/log.ts";
import type { Completions } from "../chat-completion.ts";

/** What the routes of other families than Ollama's work with. */
export interface CompatDeps {
  readonly completions: Completions;
  readonly log: Log;
}
