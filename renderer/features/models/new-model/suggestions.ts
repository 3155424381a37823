/** Models of Ollama's registry to begin with, from small to large. Only names: nothing is fetched to show them. */

export interface SuggestedModel {
  /** Its size in parameters is part of the name, by which the model service estimates its memory. */
  readonly name: string;
  /** Gigabytes to download, about. */
  readonly gigabytes: number;
  readonly licence: string;
}

const apache = "Apache 2.0";

export const suggestedModels: readonly SuggestedModel[] = [
  { name: "qwen3:0.6b", gigabytes: 0.5, licence: apache },
  { name: "llama3.2:1b", gigabytes: 1.3, licence: "Llama 3.2 Community License" },
  { name: "qwen3:1.7b", gigabytes: 1.4, licence: apache },
  { name: "llama3.2:3b", gigabytes: 2, licence: "Llama 3.2 Community License" },
  { name: "phi4-mini:3.8b", gigabytes: 2.5, licence: "MIT" },
  { name: "qwen3:4b", gigabytes: 2.5, licence: apache },
  { name: "llama3.1:8b", gigabytes: 4.9, licence: "Llama 3.1 Community License" },
  { name: "qwen3:8b", gigabytes: 5.2, licence: apache },
  { name: "qwen3:14b", gigabytes: 9.3, licence: apache },
];
