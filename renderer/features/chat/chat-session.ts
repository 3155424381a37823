/** The conversation of this browser: what was said, the answer that is streaming, and what it cost. Goes on while another page is shown. */
import { z } from "zod";
import { messageOfError } from "../../api/console-error.ts";
import type { ChatChunk } from "../../../server/contract/ollama.ts";
import type { ModelClient } from "../../api/model-client.ts";

/** What the last line of an answer told. Times in milliseconds. */
const metricsSchema = z.object({ tokens: z.number(), tokensPerSecond: z.number(), firstTokenMs: z.number() });
export type Metrics = z.infer<typeof metricsSchema>;

/** `ended`: why the answer is not the model's whole answer. */
const turnSchema = z.object({
  role: z.enum(["user", "assistant"]),
  content: z.string(),
  model: z.string().optional(),
  metrics: metricsSchema.optional(),
  ended: z.enum(["stopped", "length"]).optional(),
});
export type Turn = z.infer<typeof turnSchema>;
const storedSchema = z.object({ model: z.string().optional(), turns: z.array(turnSchema) });

export interface Chat {
  readonly model: string | undefined;
  readonly turns: readonly Turn[];
  readonly streaming: boolean;
  /** Why the last answer failed; the question is still the last turn, or before the part that came. */
  readonly error: string | undefined;
}

export interface ChatSession {
  chat: () => Chat;
  subscribe: (listen: () => void) => () => void;
  choose(model: string): void;
  /** Asks `text` of `model`. Ignored while an answer streams. */
  send(model: string, text: string): Promise<void>;
  /** Asks the last question again, after a failure or a stop. */
  retry(model: string): Promise<void>;
  stop(): void;
  startAnew(): void;
}

export interface ChatStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

const storageKey = "hearth.chat";

/** A fast model gives thousands of tokens a second; a reader is served as well by some twenty pictures of them. */
const showEveryMs = 50;

export function createChatSession(chatWith: ModelClient["chat"], storage: ChatStorage): ChatSession {
  const listeners = new Set<() => void>();
  let current: Chat = { ...restore(storage), streaming: false, error: undefined };
  let abort: AbortController | undefined;

  const become = (change: Partial<Chat>) => {
    current = { ...current, ...change };
    for (const listen of listeners) listen();
  };
  const keep = () => {
    const { model, turns } = current;
    try {
      storage.setItem(storageKey, JSON.stringify({ model, turns }));
    } catch {
      // The browser's storage is full or forbidden: the conversation then lasts as long as the page.
    }
  };
  const ask = async (model: string, turns: readonly Turn[]) => {
    const mine = new AbortController();
    abort = mine;
    let answer: Turn = { role: "assistant", content: "", model };
    become({ model, turns, streaming: true, error: undefined });
    keep();
    const messages = turns.map(({ role, content }) => ({ role, content }));
    let error: string | undefined;
    let pending: ReturnType<typeof setTimeout> | undefined;
    const showSoon = () => {
      pending ??= setTimeout(() => {
        pending = undefined;
        if (abort === mine) become({ turns: [...turns, answer] });
      }, showEveryMs);
    };
    try {
      for await (const chunk of chatWith({ model, messages }, mine.signal)) {
        if (abort !== mine) return;
        answer = withChunk(answer, chunk);
        showSoon();
      }
    } catch (failure) {
      if (abort !== mine) return;
      if (mine.signal.aborted) answer = { ...answer, ended: "stopped" };
      else error = messageOfError(failure);
    }
    abort = undefined;
    clearTimeout(pending);
    const said = answer.content !== "" || answer.ended === "stopped" || error === undefined;
    become({ turns: said ? [...turns, answer] : turns, streaming: false, error });
    keep();
  };

  return {
    chat: () => current,
    subscribe(listen) {
      listeners.add(listen);
      return () => void listeners.delete(listen);
    },
    choose(model) {
      become({ model });
      keep();
    },
    async send(model, text) {
      if (!current.streaming) await ask(model, [...current.turns, { role: "user", content: text }]);
    },
    async retry(model) {
      const question = current.turns.findLastIndex((turn) => turn.role === "user");
      if (!current.streaming && question >= 0) await ask(model, current.turns.slice(0, question + 1));
    },
    stop: () => abort?.abort(),
    startAnew() {
      const left = abort;
      abort = undefined;
      left?.abort();
      become({ turns: [], streaming: false, error: undefined });
      keep();
    },
  };
}

function withChunk(answer: Turn, chunk: ChatChunk): Turn {
  const content = answer.content + chunk.message.content;
  if (!chunk.done) return { ...answer, content };
  const metrics = metricsOf(chunk);
  return {
    ...answer,
    content,
    ...(metrics && { metrics }),
    ...(chunk.done_reason === "length" && { ended: "length" as const }),
  };
}

/** The first token comes when the model is loaded and the prompt is read. */
function metricsOf(chunk: ChatChunk): Metrics | undefined {
  const { eval_count = 0, eval_duration = 0, load_duration = 0, prompt_eval_duration = 0 } = chunk;
  if (eval_count === 0 || eval_duration === 0) return undefined;
  return {
    tokens: eval_count,
    tokensPerSecond: eval_count / (eval_duration / 1e9),
    firstTokenMs: (load_duration + prompt_eval_duration) / 1e6,
  };
}

function restore(storage: ChatStorage): Pick<Chat, "model" | "turns"> {
  try {
    const stored = storedSchema.parse(JSON.parse(storage.getItem(storageKey) ?? ""));
    return { model: stored.model, turns: stored.turns };
  } catch {
    return { model: undefined, turns: [] };
  }
}
