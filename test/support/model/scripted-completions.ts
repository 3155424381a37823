/** The port of chats without a model: tests say which chunks come, and see what was asked. */
import type { Wire } from "./model-service.ts";
import { createLibrary } from "../../../server/model/models/library/library.ts";
import type { Capability, InstalledModel } from "../../../server/model/models/library/installed-model.ts";
import type {
  AnswerChunk,
  ChatRequest,
  Completions,
  DoneChunk,
  EmbedRequest,
  ModelRequest,
  PromptRequest,
  ToolCall,
} from "../../../server/model/chat-completion.ts";
import { pipeline } from "../../../server/http/pipeline.ts";
import { refuseAsOllama } from "../../../server/model/wire/error-handler.ts";
import { mountRoutes } from "../../../server/model/wire/mount-routes.ts";
import { refuseRoute, v1Routes } from "../../../server/model/wire/v1-routes.ts";
import { starterFile } from "../../../server/model/starter/starter-file.ts";
import { join } from "node:path";
import { listen } from "../process/listen.ts";
import { quietLog } from "../quiet-log.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** `fail` is thrown; `wait` ends when the request is aborted. */
export type AnswerStep = AnswerChunk | { readonly fail: Error } | { readonly wait: true };

export const says = (text: string): AnswerChunk => ({ type: "content", text });
export const thinks = (text: string): AnswerChunk => ({ type: "thinking", text });
export const calls = (index: number, name: string, values: ToolCall["arguments"]): AnswerChunk => ({
  type: "tool_call",
  call: { id: `call_${String(index)}`, index, name, arguments: values },
});

/** The end of an answer of 5 tokens, 2 of them thoughts, for a prompt of 7, 3 of them known. */
export const ends = (reason: "stop" | "length" = "stop", rest: Partial<DoneChunk> = {}): DoneChunk => ({
  type: "done",
  figures: {
    done_reason: reason,
    total_duration: 4,
    load_duration: 1,
    prompt_eval_count: 7,
    prompt_eval_duration: 1,
    eval_count: 5,
    eval_duration: 1,
  },
  context: undefined,
  cachedTokens: 3,
  thoughtTokens: 2,
  cutTokens: 0,
  droppedMessages: 0,
  ...rest,
});

export interface ScriptedCompletions extends Completions {
  /** What each answer is made of from now on. */
  steps: AnswerStep[];
  capable: Capability[];
  /** The vector of each text. */
  vector: number[];
  /** What was asked, in order. */
  readonly chats: ChatRequest[];
  readonly prompts: PromptRequest[];
  readonly embeds: EmbedRequest[];
  readonly loads: ModelRequest[];
  /** How many answers were aborted. */
  aborted: number;
}

export function createScriptedCompletions(): ScriptedCompletions {
  async function* answer(signal: AbortSignal): AsyncGenerator<AnswerChunk, void> {
    for (const step of scripted.steps) {
      if ("fail" in step) throw step.fail;
      if ("wait" in step) {
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        scripted.aborted++;
        throw signal.reason as Error;
      }
      yield step;
    }
  }
  const scripted: ScriptedCompletions = {
    steps: [says("Hel"), says("lo"), ends()],
    capable: ["completion", "tools"],
    vector: [0.6, 0.8],
    chats: [],
    prompts: [],
    embeds: [],
    loads: [],
    aborted: 0,
    chat(_model, request, signal) {
      scripted.chats.push(request);
      return answer(signal);
    },
    generate(_model, request, signal) {
      scripted.prompts.push(request);
      return answer(signal);
    },
    renderChat: async () => "",
    renderPrompt: async () => "",
    async countTokens(_model, request) {
      scripted.chats.push(request);
      return 7;
    },
    async embed(_model, request) {
      scripted.embeds.push(request);
      const embeddings = request.input.map(() => scripted.vector);
      return { embeddings, total_duration: 2, load_duration: 1, prompt_eval_count: 3 };
    },
    async *load(_model, request) {
      scripted.loads.push(request);
      yield 1;
    },
    unload: async () => undefined,
    rank: async () => ({ scores: [], tokens: 0 }),
    tokenize: async () => [],
    detokenize: async () => "",
    capabilities: async () => scripted.capable,
  };
  return scripted;
}

/** The routes of OpenAI and Anthropic over scripted answers, on a free port. The starter model is installed. */
export async function startCompatService() {
  const completions = createScriptedCompletions();
  const folder = temporaryFolder();
  const library = createLibrary({
    modelsDir: folder.path,
    extraFile: undefined,
    starter: { path: starterFile(join(import.meta.dirname, "../../../server/model")), parameters: {} },
    log: quietLog,
  });
  /** Any name is that of a model, which the scripted answers ignore. */
  const resolve = async () => ({ model: {} as InstalledModel, completions });
  const deps = { resolve, library, log: quietLog, keyOfCaller: () => undefined };
  const { serve } = mountRoutes(v1Routes(deps), refuseRoute);
  const listener = await listen(pipeline([serve], refuseAsOllama(quietLog)));
  return {
    url: listener.url,
    completions,
    post: (path: string, body: unknown, init: RequestInit = {}) =>
      fetch(`${listener.url}${path}`, { method: "POST", body: JSON.stringify(body), ...init }),
    get: (path: string, init: RequestInit = {}) => fetch(`${listener.url}${path}`, init),
    async [Symbol.asyncDispose]() {
      await listener[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}
export type CompatService = Awaited<ReturnType<typeof startCompatService>>;

/** The events of an event stream: their names, and their data as objects (texts that are no JSON stay as they are). */
export async function eventsOf(reply: Response): Promise<{ name: string | undefined; data: Wire }[]> {
  const blocks = (await reply.text()).split("\n\n").filter((block) => block !== "");
  return blocks.map((block) => {
    const name = /^event: (.*)$/m.exec(block)?.[1];
    const data = /^data: (.*)$/m.exec(block)?.[1] ?? "";
    return { name, data: data.startsWith("{") ? JSON.parse(data) : data };
  });
}
