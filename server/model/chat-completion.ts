/**
 * The interface between the routes of every family (Ollama, OpenAI, Anthropic) and the model service: one request type
 * and one chunk type. A family reads its bodies into these types and renders the chunks in its own format. Refusals are
 * OllamaErrors with the contract's status and text, thrown before the first chunk wherever possible.
 */
import type { RunnerRanked, TokenLogprob } from "../contract/model/runner.ts";
import type { UnknownText } from "./models/find-model.ts";
import type { Capability, InstalledModel } from "./models/library/installed-model.ts";
import type { RawOptions } from "./options/model-options.ts";

/** A tool call. `arguments` keeps the order in which the model wrote it; `index` counts the calls of one answer. */
export interface ToolCall {
  readonly id: string;
  readonly index: number;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A call that the answer's limit has cut off: `arguments` is the JSON text so far. */
export interface CutCall extends Omit<ToolCall, "arguments"> {
  readonly arguments: string;
}

export const isCut = (call: ToolCall | CutCall): call is CutCall => typeof call.arguments === "string";

/** The arguments as JSON text, possibly incomplete. */
export const argumentsText = (call: ToolCall | CutCall) =>
  isCut(call) ? call.arguments : JSON.stringify(call.arguments);

/** A message for templates: content is text, whatever parts the client sent. */
export interface ChatMessage {
  /** "system", "user", "assistant", "tool", or another role of the model's template. */
  readonly role: string;
  readonly content: string;
  readonly thinking?: string | undefined;
  /** Base64 without a data URI. */
  readonly images?: readonly string[] | undefined;
  readonly toolCalls?: readonly Pick<ToolCall, "id" | "name" | "arguments">[] | undefined;
  /** The call that a tool's result answers. Without either, results belong to the preceding calls in order. */
  readonly toolName?: string | undefined;
  readonly toolCallId?: string | undefined;
}

/** A JSON Schema: an object, or `true`/`false` inside another schema. */
export type SchemaRecord = Readonly<Record<string, unknown>>;

export interface ToolDefinition {
  readonly name: string;
  readonly description?: string | undefined;
  /** JSON Schema of the arguments; undefined: it takes none. */
  readonly parameters?: SchemaRecord | undefined;
}

/** `none` hides the tools, `required` and a named tool force a call by grammar. */
export type ToolChoice = "auto" | "none" | "required" | { readonly name: string };

export type ThinkLevel = "low" | "medium" | "high" | "max";

/** The options that chat, plain completion and embeddings share. `model` is the name as the client sent it. */
export interface ModelRequest {
  readonly model: string;
  /** Override the model's own parameters. Wrong types are refused as in the contract. */
  readonly options: RawOptions;
  /** Milliseconds, Infinity for ever; undefined keeps the value of an earlier request. */
  readonly keepAliveMs: number | undefined;
}

interface GenerationOptions extends ModelRequest {
  /** `undefined` allows any answer. */
  readonly format: undefined | "json" | SchemaRecord;
  /** Undefined: on for models that can think. */
  readonly think: undefined | boolean | ThinkLevel;
  /** Whether the service has chosen `think`, not the client, for an answer that has no place for thoughts. */
  readonly choosesThink?: boolean;
  /** Whether a prompt that is too long is shortened; false refuses it. */
  readonly truncate: boolean;
  /** Whether the window moves on when it is full. */
  readonly shift: boolean;
  /** How many alternatives to report for each token, 0 to 20; undefined: no log probabilities. */
  readonly logprobs: number | undefined;
  /** How many tokens have log probabilities, where they are requested; undefined: all of them. */
  readonly logprobTokens?: number;
  /** When the request began, by `performance.now()`, where it had work before this call; undefined: now. */
  readonly beganMs?: number;
  /** Whether to send chunks of type `loading` and `progress`. */
  readonly progress: boolean;
}

export interface ChatRequest extends GenerationOptions {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly toolChoice: ToolChoice;
  /** Whether an answer may have more than one call. */
  readonly severalCalls: boolean;
}

/** A completion of one prompt. */
export interface PromptRequest extends GenerationOptions {
  readonly prompt: string;
  /** Text that follows the generated part; needs the capability `insert`. */
  readonly suffix: string | undefined;
  readonly system: string | undefined;
  /** Jinja that replaces the model's own template. */
  readonly template: string | undefined;
  /** Passes the prompt to the model unchanged. */
  readonly raw: boolean;
  /** Tokens of an earlier answer, put before the prompt. */
  readonly context: readonly number[];
  readonly images: readonly string[];
  /** Whether the answer ends with the tokens of prompt and answer. */
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
  /** Cached tokens of the prompt, and reasoning tokens of the answer. */
  readonly cachedTokens: number;
  readonly thoughtTokens: number;
  /** Parts left out to make the prompt fit: tokens of its middle, and old messages. Both 0: nothing. */
  readonly cutTokens: number;
  readonly droppedMessages: number;
}

/** Deltas as they come; whole calls, unless the limit cuts one off; exactly one `done` at the end, without text. */
export type AnswerChunk =
  /** `suggestions`: questions that the text lists, which the model can answer. */
  | {
      readonly type: "content";
      readonly text: string;
      readonly logprobs?: readonly TokenLogprob[] | undefined;
      readonly suggestions?: readonly string[] | undefined;
    }
  | { readonly type: "thinking"; readonly text: string; readonly logprobs?: readonly TokenLogprob[] | undefined }
  | { readonly type: "tool_call"; readonly call: ToolCall; readonly logprobs?: readonly TokenLogprob[] | undefined }
  | { readonly type: "cut_call"; readonly call: CutCall; readonly logprobs?: readonly TokenLogprob[] | undefined }
  /** Part of the prompt was left out. Comes before everything else and with the final figures. */
  | { readonly type: "cut"; readonly droppedMessages: number; readonly cutsPrompt: boolean }
  /** The loaded share of the model, from 0 to 1: with `progress`, while it is loading. */
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
  /** Whether vectors are normalized to length 1. */
  readonly normalise: boolean;
  /** Whether the service asks for itself: no usage is counted, and no idle model is unloaded for the memory. */
  readonly isInternal?: boolean;
}

export interface TokenizeRequest extends ModelRequest {
  readonly text: string;
}

export interface DetokenizeRequest extends ModelRequest {
  readonly tokens: readonly number[];
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

/** Where one kind of models runs: in the engine here, or at upstreams. `model` is the one that `resolve` has found. */
export interface Completions {
  /**
   * Answers a chat, which must have messages: for an empty one use load or unload.
   * @throws OllamaError, in the first step of the iteration where it is known by then; the signal's reason when
   * aborted.
   */
  chat(model: InstalledModel, request: ChatRequest, signal: AbortSignal): AsyncIterable<AnswerChunk>;
  /** Completes a prompt; otherwise as chat. */
  generate(model: InstalledModel, request: PromptRequest, signal: AbortSignal): AsyncIterable<AnswerChunk>;
  /** The prompt text that chat or generate would give to the model. Loads the model. @throws OllamaError */
  renderChat(model: InstalledModel, request: ChatRequest, signal: AbortSignal): Promise<string>;
  renderPrompt(model: InstalledModel, request: PromptRequest, signal: AbortSignal): Promise<string>;
  /** The tokens that chat would give to the model, with nothing left out. @throws OllamaError */
  countTokens(model: InstalledModel, request: ChatRequest, signal: AbortSignal): Promise<number>;
  /** @throws OllamaError */
  embed(model: InstalledModel, request: EmbedRequest, signal: AbortSignal): Promise<Embedded>;
  /** How well each document answers the query, from 0 to 1, in their order. @throws OllamaError */
  rank(model: InstalledModel, request: RankRequest, signal: AbortSignal): Promise<RunnerRanked>;
  /** The tokens of a text. Special tokens in it are recognised; none is added. @throws OllamaError */
  tokenize(model: InstalledModel, request: TokenizeRequest, signal: AbortSignal): Promise<number[]>;
  /** @throws OllamaError 400 for a token that the model lacks */
  detokenize(model: InstalledModel, request: DetokenizeRequest, signal: AbortSignal): Promise<string>;
  capabilities(model: InstalledModel): Promise<readonly Capability[]>;
  /** Loads the model and keeps it for the given time; yields the loaded share, from 0 to 1. @throws OllamaError */
  load(model: InstalledModel, request: ModelRequest, signal: AbortSignal): AsyncIterable<number>;
  /** Unloads the model once nobody uses it. @throws OllamaError */
  unload(model: InstalledModel): Promise<void>;
}

/** The model of a request, and where it runs. */
export interface ModelTarget {
  readonly model: InstalledModel;
  readonly completions: Completions;
}

/**
 * Finds the model of a request by the name that the client sent; once per request. `unknown`: the text for a missing one.
 * @throws OllamaError 400 for an invalid name or a model that cannot run, 404 for one that is not installed
 */
export type Resolve = (sent: string, unknown?: UnknownText) => Promise<ModelTarget>;
