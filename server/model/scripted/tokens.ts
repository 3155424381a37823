/** The tokens of scripted models: up to four bytes of a text, whose number is made of these bytes. */
import { EngineError } from "../engine/engine.ts";

/** A word's first three letters with the space before them, its next three, or any other character. */
const token = / ?[!-~]{1,3}|[^]/gu;

export const tokensOf = (text: string): string[] => text.match(token) ?? [];

export const tokenNumber = (text: string): number => Number.parseInt(`1${Buffer.from(text).toString("hex")}`, 16);

/** @throws EngineError, bad_request for a number that is no token's */
export function textOfTokens(numbers: readonly number[]): string {
  const bytes = numbers.map((number) => {
    const digits = number.toString(16);
    if (!/^1(?:[\da-f]{2}){1,4}$/.test(digits))
      throw new EngineError("bad_request", `token ${String(number)} does not exist`);
    return Buffer.from(digits.slice(1), "hex");
  });
  return Buffer.concat(bytes).toString();
}
