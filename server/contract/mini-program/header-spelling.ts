/** The letter-cases in which platforms pass on header names, each named by its spelling of this header. */
export const spellings = ["Www-Authenticate", "WWW-Authenticate", "www-authenticate", "WWW-AUTHENTICATE"] as const;
export type Spelling = (typeof spellings)[number];

export function spellHeader(name: string, spelling: Spelling): string {
  if (spelling === "www-authenticate") return name.toLowerCase();
  if (spelling === "WWW-AUTHENTICATE") return name.toUpperCase();
  const words = name
    .toLowerCase()
    .replace(/(^|-)(\w)/g, (_, before: string, letter: string) => before + letter.toUpperCase());
  return spelling === "WWW-Authenticate" ? words.replace(/^Www(?=-|$)/, "WWW") : words;
}
