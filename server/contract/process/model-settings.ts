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
    .describe("GGUF file or folder of GGUF files to serve in addition to the data directory's models."),
  models_dir: z
    .string()
    .optional()
    .describe(
      "Folder of an existing Ollama store, served in place and never changed. Default: OLLAMA_MODELS, otherwise .ollama/models in the home directory. Empty: none.",
    ),
  models_dir_writable: flag
    .default(false)
    .describe("Pull, create and delete models in that Ollama store instead of in the data directory."),
  registry_auth: z
    .string()
    .refine(
      (text) => text.split(/[\s,]+/).every((one) => /^([^=/\s]+=.+)?$/.test(one)),
      "host=user:password is required",
    )
    .optional()
    .describe(
      "Credentials for private model registries: host=user:password or host=token, separated by commas. They are never shown again.",
    ),
  registry_mirror: z
    .url({ protocol: /^https?$/ })
    .transform((url) => trimEndOf(url.replaceAll(/%7B(host)%7D/gi, "{$1}"), "/"))
    .optional()
    .describe(
      "Mirror of registry.ollama.ai, such as https://mirror.example, with or without a path. With {host} in the path, as in https://mirror.example/{host}, it mirrors every registry. Default: none.",
    ),
  upstreams: listSetting
    .superRefine((texts, context) => {
      const problem = upstreamsProblem(texts);
      if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
    })
    .default([])
    .describe(
      "Servers that run models for the model service, with Ollama's or OpenAI's API: NAME=URL?key_env=VARIABLE&prefix=TEXT&model=ID. Only the URL is required. A URL that ends in /v1 means OpenAI's API; kind=ollama or kind=openai overrides this.",
    ),
  upstream_keys: z
    .string()
    .refine((text) => text.split(/[\s,]+/).every((one) => /^([\w.:-]+=.+)?$/.test(one)), "NAME=key is required")
    .optional()
    .describe("Keys of upstreams: NAME=key, separated by commas. They are never shown again."),
  gpu_engine_registry: baseUrl
    .default("https://registry.npmjs.org")
    .describe(
      "npm registry, or a mirror of it, to download the engine's GPU builds from. Each build must match its known SHA-512.",
    ),
  undeclared_members: z
    .enum(["closed", "open"])
    .default("closed")
    .describe("Fields that an answer's schema allows without declaring them: omitted (closed) or allowed (open)."),
  prompt_cache_mb: number
    .pipe(z.number().int().min(0).max(1_048_576))
    .default(512)
    .describe(
      "Disk space for the states of recent prompts, in MB (1,048,576 bytes). A reloaded model continues from them. 0: no cache; the existing one is deleted.",
    ),
};
