import { tooManyCharacters } from "../../too-large-error.ts";
import type { Rendering } from "../values/value.ts";

/** @throws TooLargeError */
export function repeatText(text: string, times: number, run: Rendering): string {
  if (text.length * times > run.mostCharacters) throw tooManyCharacters(run.mostCharacters);
  return text === "" ? "" : text.repeat(times);
}
