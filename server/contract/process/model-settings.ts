/** The settings for models and the engine that runs them. */
import { z } from "zod";
import { baseUrl, flag, listSetting, number } from "./setting-values.ts";
import { trimEndOf } from "../trim-end-of.ts";
import { upstreamsProblem } from "./upstream-setting.ts";

export const modelSettings = {
  model: z
    .string()
    .min(1)
    .optional()
    .describe("A GGUF file, or a folder of them, to list and serve beside those in the data directory."),
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
  registry_mirror: z
    .url({ protocol: /^https?$/ })
    .transform((url) => trimEndOf(url.replaceAll(/%7B(host)%7D/gi, "{$1}"), "/"))
    .optional()
    .describe(
      "A registry that stands in for registry.ollama.ai, as https://mirror.example or with a folder. With {host} in the folder, as https://mirror.example/{host}, it stands in for every registry. Default: none.",
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
  undeclared_members: z
    .enum(["closed", "open"])
    .default("closed")
    .describe("Members that the schema of an answer allows without naming them: left out (closed) or let in (open)."),
  prompt_cache_mb: number
    .pipe(z.number().int().min(0).max(1_048_576))
    .default(512)
    .describe(
      "Room on the disk for the states of recent prompts, in MB of 1,048,576 bytes: a model that is loaded again goes on from them. 0 keeps none and deletes those that are there.",
    ),
};
