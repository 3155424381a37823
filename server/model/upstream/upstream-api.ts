/** The port to the API of an upstream: Ollama's in ollama-api.ts, OpenAI's in openai-api.ts. Names of models are its own. */
import type {
  AnswerChunk,
  ChatRequest,
  Embedded,
  EmbedRequest,
  DetokenizeRequest,
  ModelRequest,
  PromptRequest,
  RankRequest,
  TokenizeRequest,
} from "../chat-completion.ts";
import type { Capability } from "../models/library/installed-model.ts";
import type { ModelDetails } from "../../contract/model/ollama.ts";
import type { RunnerRanked } from "../../contract/model/runner.ts";

/** A model that an upstream lists. */
export interface ListedModel {
  readonly id: string;
  /** Bytes; 0 when unknown. */
  readonly size: number;
  readonly modifiedAt: Date | undefined;
  /** 64 hexadecimal digits; undefined when unknown. */
  readonly digest: string | undefined;
  readonly details: { readonly [Name in keyof ModelDetails]?: ModelDetails[Name] | undefined };
  /** Undefined when the API does not tell them. */
  readonly capabilities: readonly Capability[] | undefined;
  /** Tokens of its window, where the API tells it. */
  readonly contextLength: number | undefined;
}

/** A model in the memory of an upstream. */
export interface RunningModel {
  readonly id: string;
  readonly size: number;
  readonly sizeVram: number;
  readonly contextLength: number;
  readonly expiresAt: Date | undefined;
}

/**
 * Requests are complete: the model's own messages and parameters are in them. Everything throws UpstreamError, and the
 * signal's reason when aborted; leaving a loop early cancels the request at the upstream.
 */
export interface UpstreamApi {
  chat(request: ChatRequest, signal: AbortSignal): AsyncIterable<AnswerChunk>;
  generate(request: PromptRequest, signal: AbortSignal): AsyncIterable<AnswerChunk>;
  embed(request: EmbedRequest, signal: AbortSignal): Promise<Embedded>;
  /** These four are in few engines. @throws UpstreamError 501 where they are not */
  countTokens(request: ChatRequest, signal: AbortSignal): Promise<number>;
  rank(request: RankRequest, signal: AbortSignal): Promise<RunnerRanked>;
  tokenize(request: TokenizeRequest, signal: AbortSignal): Promise<number[]>;
  detokenize(request: DetokenizeRequest, signal: AbortSignal): Promise<string>;
  list(signal: AbortSignal): Promise<ListedModel[]>;
  /** Undefined for an API that does not tell what is loaded. */
  running(signal: AbortSignal): Promise<RunningModel[] | undefined>;
  /** The reply of `POST /api/show` there; undefined for an API without it. */
  show(model: string, signal: AbortSignal): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** Loads the model for the given time; 0 unloads it. @throws OllamaError 501 for an API that cannot unload */
  load(request: ModelRequest, signal: AbortSignal): Promise<void>;
}
