import type { OllamaMessage } from "../../contract/model/ollama.ts";
import type { RawOptions } from "../options/model-options.ts";
import type { GgufHeader } from "./gguf-header.ts";
import type { ModelConfig } from "./manifest.ts";
import type { ModelName } from "./model-name.ts";

/** A model that can be named in requests. What is optional comes from a manifest: a plain GGUF file has none of it. */
export interface InstalledModel {
  readonly name: ModelName;
  /** The GGUF file to load; of a model in parts the first, by which the engine finds the others. */
  readonly path: string;
  /** Bytes of all that belongs to it. */
  readonly size: number;
  readonly modifiedAt: Date;
  /** 64 hexadecimal digits: of a stored model its manifest's SHA-256, of a plain file see fingerprint.ts. */
  readonly digest: string;
  readonly header: GgufHeader;
  /** Options that requests may override. */
  readonly parameters: RawOptions;
  /** The Jinja chat template that counts instead of the GGUF's own. */
  readonly template?: string;
  /** A template in Go's language, as Ollama's models have: shown, never run. */
  readonly goTemplate?: string;
  /** The system message for requests that have none. */
  readonly system?: string;
  /** History before that of every request. */
  readonly messages?: readonly OllamaMessage[];
  readonly licenses?: readonly string[];
  readonly config?: ModelConfig;
  /** Name of the model that the weights were taken from. */
  readonly parent?: string;
  /** LoRA files. */
  readonly adapters?: readonly string[];
  /** Files of image or sound encoders. */
  readonly projectors?: readonly string[];
  /** Why it is listed but cannot be run. */
  readonly unrunnable?: string;
}
