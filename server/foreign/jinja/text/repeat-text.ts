import { tooManyCharacters } from "../../too-large-error.ts";
import type { Run } from "../values/value.ts";

/** @throws TooLargeError */
export function repeatText(text: string, times: number, run: Run): string {
  if (text.length * times > run.mostCharacters) throw tooManyCharacters(run.mostCharacters);
  return text === "" ? "" : text.repeat(times);
}
