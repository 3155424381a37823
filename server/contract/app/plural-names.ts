/** Names of collections: plural nouns (spec: Path shape 2), from which the singular is derived. */

/** Plurals that do not end in s, with their singular. */
const irregular: ReadonlyMap<string, string> = new Map([
  ["people", "person"],
  ["children", "child"],
  ["men", "man"],
  ["women", "woman"],
  ["feet", "foot"],
  ["teeth", "tooth"],
  ["geese", "goose"],
  ["mice", "mouse"],
  ["media", "medium"],
  ["data", "datum"],
  ["criteria", "criterion"],
  ["phenomena", "phenomenon"],
  ["alumni", "alumnus"],
  ["indices", "index"],
  ["vertices", "vertex"],
  ["movies", "movie"],
  ["cookies", "cookie"],
  ["news", "news"],
  ["series", "series"],
  ["species", "species"],
  ["sheep", "sheep"],
  ["fish", "fish"],
  ["equipment", "equipment"],
  ["feedback", "feedback"],
]);

const segment = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/** Whether a name is valid in a path: lower-case letters and digits, words joined by '-'. */
export const isPathSegment = (name: string) => name.length <= 64 && segment.test(name);

/** The singular of a collection's name; undefined when the name does not look like a plural. */
export function singularOf(name: string): string | undefined {
  const [, before = "", last = ""] = /^(.*-)?([^-]*)$/.exec(name) ?? [];
  const singular = irregular.get(last) ?? regular(last);
  return singular === undefined ? undefined : before + singular;
}

function regular(plural: string): string | undefined {
  if (plural.length < 3 || !plural.endsWith("s") || /(?:ss|us|is)$/.test(plural)) return undefined;
  if (/[^aeiou]ies$/.test(plural) && plural.length > 4) return `${plural.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|zz)es$/.test(plural)) return plural.slice(0, -2);
  return plural.slice(0, -1);
}
