import type { ModelRule } from "../../../contract/model/model-rules.ts";
import type { OllamaMessage } from "../../../contract/model/ollama.ts";
import type { RawOptions } from "../../options/model-options.ts";
import type { GgufHeader } from "./gguf/gguf-header.ts";
import type { ModelConfig } from "./manifest.ts";
import type { ModelName } from "./model-name.ts";

/** The capabilities of models, by their names in lists. */
export type Capability = "completion" | "embedding" | "tools" | "insert" | "thinking" | "vision";

/** A message whose content is one text, because Go's clients read no parts. */
export type TextMessage = OllamaMessage & { readonly content: string };

/** A rule, and its number and line for messages. */
export interface PlacedRule extends ModelRule {
  readonly place: string;
}

/** The content of a scripted model, in place of weights. */
export interface ScriptedRules {
  /** A new one for each reading of the file. */
  readonly id: string;
  readonly rules: readonly PlacedRule[];
  /** The abilities that the rules show. Requests for others are answered, too. */
  readonly capabilities: readonly Capability[];
}

/** A model that requests can name. Optional members come from a manifest; a plain GGUF file has none of them. */
export interface InstalledModel {
  readonly name: ModelName;
  /** The GGUF file to load; for a model in parts the first one, from which the engine finds the others. */
  readonly path: string;
  /** Bytes of all its files. */
  readonly size: number;
  readonly modifiedAt: Date;
  /** 64 hexadecimal digits: of a stored model its manifest's SHA-256, of a plain file see fingerprint.ts. */
  readonly digest: string;
  readonly header: GgufHeader;
  /** Options that requests may override. */
  readonly parameters: RawOptions;
  /** The chat template that overrides the GGUF's own: of Go, as Ollama's models have, or Jinja. */
  readonly template?: string;
  /** The system message for requests that have none. */
  readonly system?: string;
  /** Messages that precede the history of every request. */
  readonly messages?: readonly TextMessage[];
  readonly licenses?: readonly string[];
  readonly config?: ModelConfig;
  /** Name of the model that the weights come from. */
  readonly parent?: string;
  /** LoRA files. */
  readonly adapters?: readonly string[];
  /** Files of image or sound encoders. */
  readonly projectors?: readonly string[];
  /** The reason why it is listed but cannot run. */
  readonly unrunnable?: string;
  /** The rules by which it answers, if it has no weights; `path` is their file. */
  readonly rules?: ScriptedRules;
  /** Where it runs, if not here; it has no file then. */
  readonly remote?: RemoteModel;
}

/** A model at an upstream. */
export interface RemoteTarget {
  /** The upstream's base URL. */
  readonly url: string;
  /** The model's name there. */
  readonly model: string;
}

export interface RemoteModel {
  /** The upstreams that have it; at least one. */
  readonly targets: readonly RemoteTarget[];
  /** Their names, in the same order. */
  readonly upstreams: readonly string[];
  readonly capabilities: readonly Capability[];
  /** Tokens of the window; undefined when unknown. */
  readonly contextLength: number | undefined;
}
