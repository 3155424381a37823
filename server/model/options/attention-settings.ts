/** How models attend and keep what they have seen: Hearth's settings, else Ollama's environment variables. */
import { kvCacheTypeSchema, type RunnerLoad } from "../../contract/model/runner.ts";
import type { Settings } from "../../contract/process/settings.ts";
import { environmentText } from "./environment.ts";

/** How models are loaded, whatever a request asks. */
export type AttentionSettings = Pick<RunnerLoad, "flash_attention" | "kv_cache_type">;

/** As Ollama reads its switches: whatever is no "false" is true. */
function readSwitch(value: string | undefined): boolean | undefined {
  const text = environmentText(value);
  return text === undefined ? undefined : !/^(0|f|false)$/i.test(text);
}

function readType(value: string | undefined): RunnerLoad["kv_cache_type"] {
  const text = environmentText(value)?.toLowerCase();
  const type = kvCacheTypeSchema.optional().safeParse(text);
  if (type.success) return type.data;
  throw new Error(`OLLAMA_KV_CACHE_TYPE=${String(value)} is none of ${kvCacheTypeSchema.options.join(", ")}`);
}

/** @throws Error that names the variable or the setting with a value that cannot be. */
export function attentionFrom(
  { flash_attention: flash, kv_cache_type: type }: Pick<Settings, "flash_attention" | "kv_cache_type">,
  env: NodeJS.ProcessEnv,
): AttentionSettings {
  const flash_attention = flash === undefined ? readSwitch(env["OLLAMA_FLASH_ATTENTION"]) : flash === "on";
  const kv_cache_type = type ?? readType(env["OLLAMA_KV_CACHE_TYPE"]);
  if (flash_attention === false && kv_cache_type !== undefined && kv_cache_type !== "f16")
    throw new Error(
      `a KV cache of type ${kv_cache_type} (kv_cache_type, OLLAMA_KV_CACHE_TYPE) needs flash attention: do not switch off flash_attention (OLLAMA_FLASH_ATTENTION)`,
    );
  return {
    ...(flash_attention !== undefined && { flash_attention }),
    ...(kv_cache_type !== undefined && { kv_cache_type }),
  };
}
