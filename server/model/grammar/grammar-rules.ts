/** Rules of a grammar in llama.cpp's GBNF, collected while it is built. */

export interface GrammarRules {
  /** Adds a rule and returns its name, which is made from the hint. */
  add(hint: string, body: string): string;
  /** The rule for `key`; its body is made once, and may itself refer to it. */
  once(key: unknown, hint: string, body: () => string): string;
  /** The whole grammar, which generates what `root` describes. */
  text(root: string): string;
}

export function createGrammarRules(): GrammarRules {
  const bodies = new Map<string, string>();
  const named = new Map<unknown, string>();

  function freeName(hint: string): string {
    const base = hint.replace(/[^a-zA-Z0-9]+/g, "-").replace(/^-+|-+$/g, "") || "rule";
    for (let count = 0; ; count++) {
      const name = count === 0 ? base : `${base}-${String(count)}`;
      if (name !== "root" && !bodies.has(name)) return name;
    }
  }
  function add(hint: string, body: string): string {
    const name = freeName(hint);
    bodies.set(name, body);
    return name;
  }
  return {
    add,
    once(key, hint, body) {
      const known = named.get(key);
      if (known !== undefined) return known;
      const name = add(hint, "");
      named.set(key, name);
      bodies.set(name, body());
      return name;
    },
    text: (root) => [`root ::= ${root}`, ...[...bodies].map(([name, body]) => `${name} ::= ${body}`)].join("\n"),
  };
}

const escapes: Readonly<Record<string, string>> = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Exactly this text; it may hold line ends and tabs, but no other control characters. */
export const literal = (text: string) => `"${text.replace(/["\\\n\r\t]/g, (character) => escapes[character] ?? "")}"`;

/** One of these; each a rule's body. */
export const oneOf = (bodies: readonly string[]) =>
  bodies.length === 1 ? (bodies[0] ?? "") : `(${bodies.join(" | ")})`;

/** Repetition counts above this make llama.cpp refuse a grammar. */
export const mostRepetitions = 2000;

/** `body` so many times; `max` undefined: any number. */
export function times(body: string, min: number, max: number | undefined): string {
  if (max === 0) return '""';
  if (min === 1 && max === 1) return body;
  if (max === undefined && min === 0) return `${body}*`;
  return `${body}{${String(min)},${max === undefined ? "" : String(max)}}`;
}
