/**
 * Finds the translation of a finished English sentence. A table maps templates, in which `{}` stands for a value, to
 * their translation, in which `{0}` is the first value as it stands and `[0]` the first value translated itself.
 *
 * Sentences are written where they are decided, in English, and some are stored that way for years (an order's history):
 * so the table is by sentence, not by key.
 */

export type SentenceTable = Readonly<Record<string, string>>;

/** Translates a text; undefined when the table has no sentence like it. */
type Translate = (text: string) => string | undefined;

/** Our own nest eleven deep: all types of JSON, in the first problem of an import. What is deeper, somebody made up. */
const deepest = 12;

interface Template {
  /** The text between the values. */
  readonly literals: readonly string[];
  readonly translation: string;
}

export function createTranslate(table: SentenceTable): Translate {
  const whole = new Map<string, string>();
  const templates: Template[] = [];
  for (const [sentence, translation] of Object.entries(table)) {
    const literals = sentence.split("{}");
    if (literals.length === 1) whole.set(sentence, translation);
    else templates.push({ literals, translation });
  }
  // The most exact template first. One that ends with a value would take the endings of others for a part of it.
  const ending = ({ literals }: Template) => literals.at(-1)?.length ?? 0;
  const size = ({ literals }: Template) => literals.join("").length;
  templates.sort((one, other) => ending(other) - ending(one) || size(other) - size(one));

  function within(text: string, depth: number): string | undefined {
    const exact = whole.get(text);
    if (exact !== undefined) return exact;
    for (const { literals, translation } of templates) {
      const values = valuesIn(text, literals);
      if (values) return fill(translation, values, (value) => (depth < deepest ? nested(value, depth + 1) : value));
    }
    return undefined;
  }

  /** A sentence within another one has lost its full stop. */
  const nested = (value: string, depth: number) =>
    within(value, depth) ?? within(`${value}.`, depth)?.replace(/。$/, "") ?? value;
  return (text) => within(text, 0);
}

/** The values between the literals, each as short as can be; undefined when the text does not fit. Takes linear time. */
function valuesIn(text: string, literals: readonly string[]): string[] | undefined {
  const first = literals[0] ?? "";
  const last = literals.at(-1) ?? "";
  const end = text.length - last.length;
  if (!text.startsWith(first) || !text.endsWith(last)) return undefined;
  const values: string[] = [];
  let at = first.length;
  for (const literal of literals.slice(1, -1)) {
    const found = text.indexOf(literal, at);
    if (found < 0) return undefined;
    values.push(text.slice(at, found));
    at = found + literal.length;
  }
  if (at > end) return undefined;
  return [...values, text.slice(at, end)];
}

const fill = (translation: string, values: readonly string[], translated: (value: string) => string) =>
  translation.replace(/\{(\d)\}|\[(\d)\]/g, (_, plain: string | undefined, inside: string | undefined) =>
    plain === undefined ? translated(values[Number(inside)] ?? "") : (values[Number(plain)] ?? ""),
  );
