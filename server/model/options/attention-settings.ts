/** How models attend and keep their context: by Ollama's environment variables, otherwise as the engine chooses. */
import { kvCacheTypeSchema, type RunnerLoad } from "../../contract/model/runner.ts";
import { environmentText } from "./environment.ts";

/** How models are loaded, whatever a request asks. */
export type AttentionSettings = Pick<RunnerLoad, "flash_attention" | "kv_cache_type">;

/** A switch as Ollama reads it: any other text than "false" is true. */
function readSwitch(value: string | undefined): boolean | undefined {
  const text = environmentText(value);
  return text === undefined ? undefined : !/^(0|f|false)$/i.test(text);
}

function readType(value: string | undefined, warn: (message: string) => void): RunnerLoad["kv_cache_type"] {
  const text = environmentText(value);
  const type = kvCacheTypeSchema.optional().safeParse(text?.toLowerCase());
  if (type.success) return type.data;
  warn(`OLLAMA_KV_CACHE_TYPE=${String(text)} is not one of ${kvCacheTypeSchema.options.join(", ")} and is ignored`);
  return undefined;
}

/** A value that Hearth cannot use is passed to `warn` and not used: Ollama starts with it, too. */
export function attentionFrom(env: NodeJS.ProcessEnv, warn: (message: string) => void): AttentionSettings {
  const flash_attention = readSwitch(env["OLLAMA_FLASH_ATTENTION"]);
  const kv_cache_type = readType(env["OLLAMA_KV_CACHE_TYPE"], warn);
  if (flash_attention !== false || kv_cache_type === undefined || kv_cache_type === "f16")
    return { flash_attention, kv_cache_type };
  const why = `a KV cache of type ${kv_cache_type} needs flash attention, which is switched off`;
  warn(`OLLAMA_KV_CACHE_TYPE=${kv_cache_type} is ignored: ${why}`);
  return { flash_attention };
}
