import type { ChatChunk } from "../../../../server/contract/model/ollama.ts";
import { messageOfError } from "../../../api/http/console-error.ts";
import { withChunk } from "./answer.ts";
import type { Turn } from "./conversation.ts";
import { waitAfter, type Wait } from "./wait.ts";

/** Limits the updates: a fast model gives thousands of tokens a second, and a reader needs only some twenty updates. */
const updateEveryMs = 50;

/** Reads one answer to its end, and reports the partial answer at most twenty times a second. */
export class AnswerStream {
  readonly #now: () => number;
  readonly #onUpdate: (answer: Turn, wait: Wait) => void;
  #answer: Turn;
  #wait: Wait;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(model: string, now: () => number, onUpdate: (answer: Turn, wait: Wait) => void) {
    this.#now = now;
    this.#onUpdate = onUpdate;
    this.#answer = { role: "assistant", content: "", model };
    this.#wait = { for: "model", since: now() };
  }

  get wait(): Wait {
    return this.#wait;
  }

  /** Returns the whole answer, or the part that came before it was stopped or failed. */
  async read(chunks: AsyncIterable<ChatChunk>, signal: AbortSignal): Promise<{ answer: Turn; error?: string }> {
    try {
      for await (const chunk of chunks) {
        this.#answer = withChunk(this.#answer, chunk);
        this.#wait = waitAfter(this.#wait, chunk, this.#now());
        this.#updateSoon();
      }
      return { answer: this.#answer };
    } catch (failure) {
      if (signal.aborted) return { answer: { ...this.#answer, ended: "stopped" } };
      return { answer: this.#answer, error: messageOfError(failure) };
    } finally {
      clearTimeout(this.#timer);
    }
  }

  #updateSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#onUpdate(this.#answer, this.#wait);
    }, updateEveryMs);
  }
}
