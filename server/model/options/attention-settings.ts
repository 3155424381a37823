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

function readType(value: string | undefined, warn: (message: string) => void): RunnerLoad["kv_cache_type"] {
  const text = environmentText(value);
  const type = kvCacheTypeSchema.optional().safeParse(text?.toLowerCase());
  if (type.success) return type.data;
  warn(`OLLAMA_KV_CACHE_TYPE=${String(text)} is none of ${kvCacheTypeSchema.options.join(", ")}; it is not used`);
  return undefined;
}

/**
 * A value of a variable that cannot be, alone or beside what else is set, is passed to `warn` and not used: Ollama starts
 * with it, too.
 * @throws Error that names the settings where these exclude each other.
 */
export function attentionFrom(
  { flash_attention: flash, kv_cache_type: type }: Pick<Settings, "flash_attention" | "kv_cache_type">,
  env: NodeJS.ProcessEnv,
  warn: (message: string) => void,
): AttentionSettings {
  let flash_attention = flash === undefined ? readSwitch(env["OLLAMA_FLASH_ATTENTION"]) : flash === "on";
  let kv_cache_type = type ?? readType(env["OLLAMA_KV_CACHE_TYPE"], warn);
  if (flash_attention === false && kv_cache_type !== undefined && kv_cache_type !== "f16") {
    const why = `a KV cache of type ${kv_cache_type} (kv_cache_type) needs flash attention`;
    if (type === undefined) {
      warn(`OLLAMA_KV_CACHE_TYPE=${kv_cache_type} is not used: ${why}, which is switched off`);
      kv_cache_type = undefined;
    } else if (flash === undefined) {
      warn(`OLLAMA_FLASH_ATTENTION=${String(env["OLLAMA_FLASH_ATTENTION"])} is not used: ${why}`);
      flash_attention = undefined;
    } else throw new Error(`${why}: do not switch off flash_attention`);
  }
  return {
    ...(flash_attention !== undefined && { flash_attention }),
    ...(kv_cache_type !== undefined && { kv_cache_type }),
  };
}
