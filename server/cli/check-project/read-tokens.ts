/**
 * The strings of a source file and the code between them, without comments. It knows the forms that JavaScript,
 * TypeScript, Java, Go, PHP and Python share, and no grammar: a quote in a regular expression costs a line at most.
 */

export interface Token {
  readonly kind: "code" | "string";
  /** A string's content, with `{}` for what is computed in it, and `{a|b}` for a choice between two words. */
  readonly text: string;
  /** Where it begins in the file. */
  readonly at: number;
}

type Language = "python" | "php" | "other";

const languageOf = (file: string): Language =>
  file.endsWith(".py") ? "python" : file.endsWith(".php") ? "php" : "other";

/** @returns the end of the comment that begins at `at`; undefined if none does */
function endOfComment(text: string, at: number, language: Language): number | undefined {
  const two = text.slice(at, at + 2);
  const endOf = (mark: string, from: number) => {
    const found = text.indexOf(mark, from);
    return found < 0 ? text.length : found + mark.length;
  };
  if (language === "python") {
    const three = text.slice(at, at + 3);
    if (three === '"""' || three === "'''") return endOf(three, at + 3);
    return text[at] === "#" ? endOf("\n", at) : undefined;
  }
  if (two === "//") return endOf("\n", at);
  if (two === "/*") return endOf("*/", at + 2);
  return language === "php" && text[at] === "#" && two !== "#[" ? endOf("\n", at) : undefined;
}

/** @returns the end of the braces that begin at `at` */
function endOfBraces(text: string, at: number): number {
  let depth = 0;
  for (let index = at; index < text.length; index++) {
    if (text[index] === "{") depth++;
    else if (text[index] === "}" && --depth === 0) return index + 1;
  }
  return text.length;
}

const wordsIn = (code: string) => [...code.matchAll(/(["'])([\w-]+)\1/g)].map(([, , word = ""]) => word);

/** Reads the string whose quote is at `at`. One in single or double quotes ends with its line at the latest. */
function readString(text: string, at: number): { readonly content: string; readonly end: number } {
  const quote = text[at];
  let content = "";
  let index = at + 1;
  while (index < text.length && text[index] !== quote) {
    const character = text[index] ?? "";
    if (character === "\n" && quote !== "`") break;
    if (character === "\\") index += 2;
    else if (character === "$" && text[index + 1] === "{" && quote === "`") {
      const end = endOfBraces(text, index + 1);
      content += `{${wordsIn(text.slice(index, end)).join("|")}}`;
      index = end;
    } else {
      content += character;
      index++;
    }
  }
  return { content, end: index + 1 };
}

export function readTokens(file: string, text: string): Token[] {
  const language = languageOf(file);
  const tokens: Token[] = [];
  let code = "";
  let from = 0;
  const endCode = () => {
    if (code !== "") tokens.push({ kind: "code", text: code, at: from });
    code = "";
  };
  let index = 0;
  while (index < text.length) {
    const comment = endOfComment(text, index, language);
    const character = text[index] ?? "";
    if (comment !== undefined) {
      endCode();
      index = comment;
    } else if (character === '"' || character === "'" || (character === "`" && language !== "python")) {
      endCode();
      const { content, end } = readString(text, index);
      tokens.push({ kind: "string", text: content, at: index });
      index = end;
    } else {
      if (code === "") from = index;
      code += character;
      index++;
    }
  }
  endCode();
  return tokens;
}
