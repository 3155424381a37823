/**
 * What every family of routes (Ollama, OpenAI, Anthropic) asks of the model service, and what it gets: one request and one
 * kind of chunks. Families read their own bodies into these types and render the chunks in their own shapes; refusals are
 * OllamaErrors with the contract's status and text, thrown before the first chunk wherever that is possible.
 */
import type { RunnerRanked, TokenLogprob } from "../contract/model/runner.ts";
import type { RawOptions } from "./options/model-options.ts";

/** What models can be asked for, in the words of the lists. */
export type Capability = "completion" | "embedding" | "tools" | "insert" | "thinking";

/** A call of a tool. `arguments` keeps the order in which the model wrote it; `index` counts the calls of one answer. */
export interface ToolCall {
  readonly id: string;
  readonly index: number;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A call that the answer's limit has cut off: `arguments` is JSON text as far as it came. */
export interface CutCall extends Omit<ToolCall, "arguments"> {
  readonly arguments: string;
}

export const isCut = (call: ToolCall | CutCall): call is CutCall => typeof call.arguments === "string";

/** The arguments as JSON text, as far as they came. */
export const argumentsText = (call: ToolCall | CutCall) =>
  isCut(call) ? call.arguments : JSON.stringify(call.arguments);

/** A message as templates understand it: content is text, whatever parts it was sent in. */
export interface ChatMessage {
  /** "system", "user", "assistant", "tool", or whatever else the model's template knows. */
  readonly role: string;
  readonly content: string;
  readonly thinking?: string | undefined;
  /** Base64 without a data URI. */
  readonly images?: readonly string[] | undefined;
  readonly toolCalls?: readonly Pick<ToolCall, "id" | "name" | "arguments">[] | undefined;
  /** Of a tool's result: whose it is. Without either, results belong to the calls before them in order. */
  readonly toolName?: string | undefined;
  readonly toolCallId?: string | undefined;
}

/** A JSON Schema: an object, or `true`/`false` inside another schema. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface ToolDefinition {
  readonly name: string;
  readonly description?: string | undefined;
  /** JSON Schema of the arguments; undefined: an object with any members. */
  readonly parameters?: JsonSchema | undefined;
}

/** `none` hides the tools, `required` and a named tool force a call by grammar. */
export type ToolChoice = "auto" | "none" | "required" | { readonly name: string };

export type ThinkLevel = "low" | "medium" | "high" | "max";

/** What chat, plain completion and embeddings have in common. `model` is the name as the client sent it. */
export interface ModelRequest {
  readonly model: string;
  /** Override the model's own parameters. Wrong types are refused as the contract says. */
  readonly options: RawOptions;
  /** Milliseconds, Infinity for ever; undefined keeps what an earlier request set. */
  readonly keepAliveMs: number | undefined;
}

interface GenerationOptions extends ModelRequest {
  /** `undefined`: anything may be answered. */
  readonly format: undefined | "json" | JsonSchema;
  /** Undefined: on where the model can. */
  readonly think: undefined | boolean | ThinkLevel;
  /** Whether a prompt that is too long is shortened; false refuses it. */
  readonly truncate: boolean;
  /** Whether the window moves on when it is full. */
  readonly shift: boolean;
  /** Undefined: none; else how many alternatives to tell for each token, 0 to 20. */
  readonly logprobs: number | undefined;
  /** Whether chunks of type `loading` and `progress` are wanted. */
  readonly progress: boolean;
}

export interface ChatRequest extends GenerationOptions {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly toolChoice: ToolChoice;
}

/** A completion of one prompt. */
export interface PromptRequest extends GenerationOptions {
  readonly prompt: string;
  /** Text that follows what is to be generated; needs the capability `insert`. */
  readonly suffix: string | undefined;
  readonly system: string | undefined;
  /** Jinja that takes the place of the model's own template. */
  readonly template: string | undefined;
  /** The prompt goes to the model as it is. */
  readonly raw: boolean;
  /** Tokens of an earlier answer, put before the prompt. */
  readonly context: readonly number[];
  readonly images: readonly string[];
  /** Whether the answer ends with the tokens of all that was said. */
  readonly withContext: boolean;
}

/** Figures of the last chunk, in Ollama's names and units (integer nanoseconds). */
export interface CompletionFigures {
  readonly done_reason: "stop" | "length";
  readonly total_duration: number;
  readonly load_duration: number;
  readonly prompt_eval_count: number;
  readonly prompt_eval_duration: number;
  readonly eval_count: number;
  readonly eval_duration: number;
}

export interface DoneChunk {
  readonly type: "done";
  readonly figures: CompletionFigures;
  /** The stop string that ended the answer. */
  readonly stopSequence?: string | undefined;
  /** Tokens of prompt and answer, where `withContext` asked for them. */
  readonly context: readonly number[] | undefined;
  /** Tokens of the prompt that were found evaluated, and tokens of the answer that were thoughts. */
  readonly cachedTokens: number;
  readonly thoughtTokens: number;
  /** What was left out to make the prompt fit: tokens of its middle, and old messages. Both 0: nothing. */
  readonly cutTokens: number;
  readonly droppedMessages: number;
}

/** Deltas as they come; calls whole, but for one that the limit cuts off; exactly one `done` at the end, which carries no text. */
export type AnswerChunk =
  | { readonly type: "content"; readonly text: string; readonly logprobs?: readonly TokenLogprob[] | undefined }
  | { readonly type: "thinking"; readonly text: string; readonly logprobs?: readonly TokenLogprob[] | undefined }
  | { readonly type: "tool_call"; readonly call: ToolCall; readonly logprobs?: readonly TokenLogprob[] | undefined }
  | { readonly type: "cut_call"; readonly call: CutCall; readonly logprobs?: readonly TokenLogprob[] | undefined }
  /** Not all of the prompt reaches the model: comes before everything else, and the figures in the end. */
  | { readonly type: "cut"; readonly droppedMessages: number; readonly cutsPrompt: boolean }
  /** How much of the model is loaded, from 0 to 1: with `progress`, where it has to be loaded. */
  | { readonly type: "loading"; readonly fraction: number }
  /** Tokens of the prompt that are evaluated. */
  | { readonly type: "progress"; readonly completed: number; readonly total: number }
  | DoneChunk;

export interface EmbedRequest extends ModelRequest {
  readonly input: readonly string[];
  /** Whether a text that is too long is cut; false refuses it. */
  readonly truncate: boolean;
  /** Components to keep of each vector, undefined for all. */
  readonly dimensions: number | undefined;
  /** Whether vectors get length 1; else they stay as the model gives them. */
  readonly normalise: boolean;
}

export interface Embedded {
  /** A vector for each input. */
  readonly embeddings: readonly (readonly number[])[];
  readonly total_duration: number;
  readonly load_duration: number;
  readonly prompt_eval_count: number;
}

export interface RankRequest extends ModelRequest {
  readonly query: string;
  readonly documents: readonly string[];
}

export interface Completions {
  /**
   * Answers a chat. With no messages nothing is said: use load or unload.
   * @throws OllamaError, at the first step of the iteration as far as it can be known by then; the signal's reason when
   * aborted.
   */
  chat(request: ChatRequest, signal: AbortSignal): AsyncIterable<AnswerChunk>;
  /** Completes a prompt; otherwise as chat. */
  generate(request: PromptRequest, signal: AbortSignal): AsyncIterable<AnswerChunk>;
  /** The text that chat or generate would give to the model, which is loaded for it. @throws OllamaError */
  renderChat(request: ChatRequest, signal: AbortSignal): Promise<string>;
  renderPrompt(request: PromptRequest, signal: AbortSignal): Promise<string>;
  /** The tokens that chat would give to the model, with nothing left out. @throws OllamaError */
  countTokens(request: ChatRequest, signal: AbortSignal): Promise<number>;
  /** @throws OllamaError */
  embed(request: EmbedRequest, signal: AbortSignal): Promise<Embedded>;
  /** How well each document answers the query, from 0 to 1, in their order. @throws OllamaError */
  rank(request: RankRequest, signal: AbortSignal): Promise<RunnerRanked>;
  /** The tokens of a text, in which special tokens are recognised; none is added. @throws OllamaError */
  tokenize(request: ModelRequest & { readonly text: string }, signal: AbortSignal): Promise<number[]>;
  /** @throws OllamaError 400 for a token that the model lacks */
  detokenize(request: ModelRequest & { readonly tokens: readonly number[] }, signal: AbortSignal): Promise<string>;
  /** What the model can be asked for. @throws OllamaError for a model that is not there */
  capabilities(model: string): Promise<readonly Capability[]>;
  /** Loads the model and keeps it as long as asked; yields how much of it is there, from 0 to 1. @throws OllamaError */
  load(request: ModelRequest, signal: AbortSignal): AsyncIterable<number>;
  /** Sends the model away when nobody uses it any more. @throws OllamaError */
  unload(model: string): Promise<void>;
}
