const simple: Readonly<Record<string, string>> = {
  "\n": "",
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

const escape = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3})|([^]))/g;

/** The text of a literal: its escapes are Python's, and unknown ones stay. `fail` is called for an incomplete one. */
export const unescapeText = (literal: string, fail: (message: string) => never): string =>
  literal.includes("\\")
    ? literal.replace(escape, (all: string, ...[x, u, long, octal, other]: (string | undefined)[]) => {
        const hex = x ?? u ?? long;
        if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
        if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
        if (other === undefined || "xuUN".includes(other)) fail(`truncated escape '${all}'`);
        return simple[other] ?? ("\\'\"".includes(other) ? other : all);
      })
    : literal;
