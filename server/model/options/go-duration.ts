/** Durations as Go writes them ("1h2m3.5s", "300ms", "-1m"), and `keep_alive`, which is one or a number of seconds. */
import { OllamaError } from "../ollama-error.ts";

const unitMs: Record<string, number> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** Milliseconds of the longest duration that Go has: 2^63-1 nanoseconds, 292 years. */
export const longestDurationMs = 2 ** 63 / 1e6;
/** No duration that means anything is written longer. */
const longestText = 200;

/**
 * Milliseconds of a Go duration.
 * @throws OllamaError 400 with Go's text
 */
export function parseGoDuration(text: string): number {
  const invalid = () => new OllamaError(400, `time: invalid duration ${JSON.stringify(text.slice(0, longestText))}`);
  if (text.length > longestText) throw invalid();
  const [, sign = "", digits = ""] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  if (digits === "0") return 0;
  if (digits === "") throw invalid();
  let total = 0;
  for (let rest = digits; rest !== "";) {
    const [whole, number = "", unit = ""] = /^(\d+\.?\d*|\.\d+)([^\d.]*)/.exec(rest) ?? [];
    if (whole === undefined) throw invalid();
    if (unit === "") throw new OllamaError(400, `time: missing unit in duration ${JSON.stringify(text)}`);
    const factor = unitMs[unit];
    if (factor === undefined)
      throw new OllamaError(400, `time: unknown unit ${JSON.stringify(unit)} in duration ${JSON.stringify(text)}`);
    total += Number(number) * factor;
    rest = rest.slice(whole.length);
  }
  if (total > longestDurationMs) throw invalid();
  return sign === "-" ? -total : total;
}

/** JSON's type of a value, in Go's words. */
const goKind = (value: unknown) =>
  typeof value === "boolean" ? "bool" : Array.isArray(value) ? "[]interface {}" : "map[string]interface {}";

/**
 * Milliseconds that a model stays loaded; Infinity for ever (any negative value), undefined when not given. A number of
 * seconds beyond Go's longest duration means that.
 * @throws OllamaError 400
 */
export function parseKeepAlive(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "number" && typeof value !== "string")
    throw new OllamaError(400, `Unsupported type: '${goKind(value)}'`);
  const ms = typeof value === "number" ? value * 1000 : parseGoDuration(value);
  return ms < 0 ? Infinity : Math.min(ms, longestDurationMs);
}
