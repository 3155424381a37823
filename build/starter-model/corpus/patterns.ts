import type { Random } from "./random.ts";

const choice = /\(([^()]*\|[^()]*)\)/g;

const tidy = (text: string) => text.replace(/ +/g, " ").trim();

/** One reading of a pattern such as `how (do i|to) log in`. */
export const expand = (pattern: string, random: Random) =>
  tidy(pattern.replace(choice, (_, options: string) => random.pick(options.split("|"))));

/** All readings of a pattern, up to a limit. */
export function readings(pattern: string, most = 200): string[] {
  let texts = [pattern];
  for (;;) {
    const next = texts.flatMap((text) => {
      const found = [...text.matchAll(choice)][0];
      if (found === undefined) return [text];
      const [whole, options = ""] = found;
      return options.split("|").map((option) => text.replace(whole, () => option));
    });
    if (next.length === texts.length || next.length > most) return texts.map(tidy);
    texts = next;
  }
}
