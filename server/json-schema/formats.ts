/** Formats of texts and numbers that are checked. */
import { fullFormats } from "ajv-formats/dist/formats.js";

interface Definition {
  readonly type?: "string" | "number";
  readonly validate?: unknown;
}

export const isCheckedFormat = (name: string): boolean => Object.hasOwn(fullFormats, name);

/** A value of another type has every format. */
export function hasFormat(name: string, value: unknown): boolean {
  const format: unknown = isCheckedFormat(name) ? fullFormats[name as keyof typeof fullFormats] : true;
  const { type = "string", validate = format } = Object(format) as Definition;
  if (typeof value !== type) return true;
  if (validate instanceof RegExp) return validate.test(String(value));
  return typeof validate !== "function" || (validate as (value: unknown) => boolean)(value);
}
