/** The settings for models and the engine that runs them. */
import { z } from "zod";
import { baseUrl, flag, listSetting, number } from "./setting-values.ts";
import { upstreamsProblem } from "./upstream-setting.ts";

export const modelSettings = {
  model: z
    .string()
    .min(1)
    .optional()
    .describe("A GGUF file, or a folder of them, to list and serve beside those in the data directory."),
  starter_confidence: number
    .pipe(z.number().min(0).max(1))
    .default(0.7)
    .describe(
      "How sure the starter model has to be of an answer, from 0 to 1: the product of its first 12 tokens' probabilities. Below, it says so and names questions that it knows; 0 lets it answer everything.",
    ),
  models_dir: z
    .string()
    .optional()
    .describe(
      "Folder of an existing Ollama store, served in place and never changed. Default: OLLAMA_MODELS, else .ollama/models in the home directory; empty for none.",
    ),
  models_dir_writable: flag
    .default(false)
    .describe("Pull, create and delete models in that Ollama store instead of in the data directory."),
  registry_auth: z
    .string()
    .refine((text) => text.split(/[\s,]+/).every((one) => /^([^=/\s]+=.+)?$/.test(one)), "host=user:password is needed")
    .optional()
    .describe(
      "What private registries of models are told: host=user:password or host=token, more than one divided by commas; it is never shown again.",
    ),
  upstreams: listSetting
    .superRefine((texts, context) => {
      const problem = upstreamsProblem(texts);
      if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
    })
    .default([])
    .describe(
      "Servers that run models for the model service, by Ollama's API or OpenAI's: NAME=URL?key_env=VARIABLE&prefix=TEXT&model=ID, all but the URL as needed. A URL that ends in /v1 means OpenAI's API; kind=ollama or kind=openai says it otherwise.",
    ),
  upstream_keys: z
    .string()
    .refine((text) => text.split(/[\s,]+/).every((one) => /^([\w.:-]+=.+)?$/.test(one)), "NAME=key is needed")
    .optional()
    .describe("Keys of upstreams: NAME=key, more than one divided by commas; they are never shown again."),
  gpu_engine_registry: baseUrl
    .default("https://registry.npmjs.org")
    .describe(
      "npm's registry, or a mirror of it, from which the engine's builds for GPUs are downloaded; each is compared with its known SHA-512.",
    ),
  flash_attention: z
    .enum(["on", "off"])
    .optional()
    .describe(
      "Flash attention of the models. Default: OLLAMA_FLASH_ATTENTION, else where the engine thinks well of it.",
    ),
  undeclared_members: z
    .enum(["closed", "open"])
    .default("closed")
    .describe("Members that the schema of an answer allows without naming them: left out (closed) or let in (open)."),
  kv_cache_type: z
    .enum(["f16", "q8_0", "q4_0"])
    .optional()
    .describe(
      "What models keep their context in: q8_0 takes half the memory of f16, q4_0 a quarter, both are slower on a CPU. Default: OLLAMA_KV_CACHE_TYPE, else f16.",
    ),
};
