/**
 * Finds the program's regular expressions, and checks that each runs in time linear in the length of its text, even an
 * adversarial one.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkSync } from "recheck";
import ts from "typescript";
import { root } from "../root.ts";

/** Faster checkers exist for some platforms, but are not installed. */
process.env["RECHECK_SYNC_BACKEND"] = "pure";

export interface Pattern {
  readonly source: string;
  readonly flags: string;
  /** File and line. */
  readonly place: string;
}

/** The text of an expression that is put together from a file's own texts, by name; undefined for any other. */
function textOf(
  node: ts.Node | undefined,
  texts: ReadonlyMap<string, ts.Expression>,
  isRaw = false,
): string | undefined {
  if (node === undefined) return undefined;
  if (ts.isIdentifier(node)) return textOf(texts.get(node.text), texts);
  if (ts.isTaggedTemplateExpression(node))
    return node.tag.getText() === "String.raw" ? textOf(node.template, texts, true) : undefined;
  const written = (part: ts.TemplateLiteralLikeNode) => (isRaw ? (part.rawText ?? part.text) : part.text);
  if (ts.isNoSubstitutionTemplateLiteral(node)) return written(node);
  if (ts.isStringLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  const parts = node.templateSpans
    .map(({ expression, literal }) => [textOf(expression, texts), written(literal)])
    .flat();
  return parts.includes(undefined) ? undefined : written(node.head) + parts.join("");
}

/** The patterns in a file: literals, and texts passed to `new RegExp`. */
export function patternsIn(file: string, text: string): Pattern[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const texts = new Map(
    source.statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => declarationList.declarations)
      .flatMap(({ name, initializer }) => (initializer ? [[name.getText(), initializer] as const] : [])),
  );
  const found: Pattern[] = [];
  const add = (node: ts.Node, pattern: string, flags: string) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    found.push({ source: pattern, flags, place: `${file}:${String(line + 1)}` });
  };
  const visit = (node: ts.Node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      add(node, node.text.slice(1, end), node.text.slice(end + 1));
    } else if (ts.isNewExpression(node) && node.expression.getText() === "RegExp") {
      const [pattern, flags] = (node.arguments ?? []).map((argument) => textOf(argument, texts));
      if (pattern !== undefined) add(node, pattern, flags ?? "");
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

export const ownPatterns = (): Pattern[] =>
  globSync("{server,renderer,electron}/**/*.{ts,tsx}", { cwd: root })
    .sort()
    .flatMap((file) => patternsIn(file.replaceAll("\\", "/"), readFileSync(join(root, file), "utf8")));

/** Removes groups, so that only alternatives of the whole pattern remain. */
function withoutGroups(text: string): string {
  const less = text.replace(/\([^()]*\)/g, "");
  return less === text ? text : withoutGroups(less);
}

/** Matches the repeated character or class, and the character required right before it. */
const fencedAtom = /(\\\W|(?<!\\)[^\\()[\]{}?*+^$.|])\(?(\[(?:\\.|[^\]\\])*\]|\\.|[^\\()[\]{}?*+^$|])$/;

/**
 * Whether a pattern needs no proof: it has no unbounded repetition, or a single one of a character. That one must be
 * tried from one position only, or be followed by nothing that can fail, or follow a character that it does not match
 * itself.
 */
export function isPlainlyLinear({ source, flags }: Pick<Pattern, "source" | "flags">): boolean {
  // Positions in `bare` equal those in the source.
  const bare = source.replace(/\\[^]/g, "xx").replace(/\[[^\]]*\]/g, (one) => "x".repeat(one.length));
  const [open, ...others] = bare.matchAll(/[*+]|\{\d+,\}/g);
  if (others.length > 0 || /\)(?:[*+]|\{)/.test(bare)) return false;
  if (open === undefined) return true;
  if (withoutGroups(bare).includes("|")) return false;
  const isTriedOnce = flags.includes("y") || (bare.startsWith("^") && !flags.includes("m"));
  const isLast = /^[)?]*$/.test(bare.slice(open.index + open[0].length));
  const [, before, repeated] = fencedAtom.exec(source.slice(0, open.index)) ?? [];
  const isFenced =
    before !== undefined && repeated !== undefined && !new RegExp(`^${repeated}$`, flags).test(before.slice(-1));
  return isTriedOnce || isLast || isFenced;
}

/** Ignoring case does not affect the time, but lengthens the proof. */
const withoutCase = ({ source, flags }: Pattern) =>
  flags.includes("i")
    ? {
        source: source.replace(/\\.|[A-Z]/g, (part) => (part.startsWith("\\") ? part : part.toLowerCase())),
        flags: flags.replace("i", ""),
      }
    : { source, flags };

/** The size of the automaton bounds the proof; no time does, which a busy machine would exceed. */
const proving = { timeout: null, checker: "automaton" } as const;

/** For patterns without a proof, such as lookaheads: the same attempts on every machine, however busy it is. */
const attempts = {
  timeout: null,
  checker: "fuzz",
  randomSeed: 1,
  incubationTimeout: null,
  attackTimeout: null,
  recallTimeout: null,
} as const;

/** What is wrong with a pattern, as text; undefined if it takes linear time. */
export function patternProblem(pattern: Pattern): string | undefined {
  if (isPlainlyLinear(pattern)) return undefined;
  const { source, flags } = withoutCase(pattern);
  const proof = checkSync(source, flags, proving);
  const verdict = proof.status === "unknown" ? checkSync(source, flags, attempts) : proof;
  if (verdict.status === "safe") return undefined;
  return verdict.status === "vulnerable" ? `takes ${verdict.complexity.summary} time` : "cannot be judged";
}
