/**
 * What is wrong with the book: links and anchors that lead nowhere, comments that cite a rule that does not exist, and
 * generated pages that are out of date. Every problem is a line: where, what, and what to do.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import ts from "typescript";
import { readPage, type Page } from "./read-page.ts";

const pagePatterns = ["README*.md", "CHANGELOG.md", "docs/**/*.md", ".github/**/*.md"];
const sourcePatterns = ["{server,electron,renderer,build,test}/**/*.{ts,tsx,mjs}"];
const exclude = ["**/node_modules/**"];

const filesOf = (folder: string, patterns: readonly string[]) =>
  patterns
    .flatMap((pattern) => globSync(pattern, { cwd: folder, exclude }))
    .map((file) => file.replaceAll("\\", "/"))
    .sort();

type Book = ReadonlyMap<string, Page>;

/** All pages below `folder`, by their path in it. */
function readBook(folder: string): Book {
  const files = filesOf(folder, pagePatterns);
  return new Map(files.map((file) => [file, readPage(readFileSync(join(folder, file), "utf8"))]));
}

const isElsewhere = (target: string) => /^[a-z][a-z0-9+.-]*:|^\/\//i.test(target);

function linkProblem(folder: string, book: Book, from: string, target: string): string | undefined {
  const [path = "", anchor] = target.split(/#(.*)/s);
  const file = path === "" ? from : posix.join(posix.dirname(from), decodeURI(path));
  if (file.startsWith("../") || !existsSync(join(folder, file)))
    return `${target} leads to ${file}, which does not exist; correct the path`;
  const page = anchor === undefined ? undefined : book.get(posix.normalize(file));
  if (page === undefined || page.sections.some((section) => section.anchor === anchor)) return undefined;
  const anchors = page.sections.map((section) => section.anchor).join(", ");
  return `${target}: no heading of ${file} has the anchor ${anchor ?? ""}; use one of ${anchors}`;
}

/** Relative links whose file or heading is not there. */
export function linkProblems(folder: string): string[] {
  const book = readBook(folder);
  return [...book].flatMap(([file, { links }]) =>
    links.flatMap(({ target, line }) => {
      const problem = isElsewhere(target) ? undefined : linkProblem(folder, book, file, target);
      return problem === undefined ? [] : [`${file}:${String(line)}: ${problem}`];
    }),
  );
}

/** The comments of a file with the places where they begin. */
function commentsIn(file: string, text: string): { text: string; start: number }[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = new Map<number, string>();
  const visit = (node: ts.Node) => {
    const ranges = [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.end) ?? []),
    ];
    for (const { pos, end } of ranges) found.set(pos, text.slice(pos, end));
    for (const child of node.getChildren(source)) visit(child);
  };
  visit(source);
  return [...found].map(([start, comment]) => ({ start, text: comment }));
}

/** The page that a reference means, and the sections of it that it names, each perhaps with numbers of rules. */
function readReference(kind: string, cited: string): { page: string; places: string[] } {
  const [name = "", rest = ""] = kind === "spec" ? ["", cited] : cited.split(/, (.*)/s);
  const page = kind === "spec" ? "docs/specification.md" : `docs/contracts/${name}.md`;
  return { page, places: rest.split(";").map((place) => place.trim()) };
}

function placeProblem(page: string, { sections }: Page, place: string): string | undefined {
  const section = sections
    .filter(({ heading }) => place === heading || place.startsWith(`${heading} `))
    .sort((a, b) => b.heading.length - a.heading.length)[0];
  if (!section) return `"${place}" is no heading of ${page}, with or without numbers of rules after it`;
  const numbers = place.slice(section.heading.length).trim();
  const known = section.rules.map(({ number }) => number);
  const unknown = numbers === "" ? undefined : numbers.split(", ").find((number) => !known.includes(number));
  return unknown === undefined ? undefined : `${page} has no rule ${unknown} under "${section.heading}"`;
}

/**
 * Comments of the code that cite a section or rule that there is not. The forms: `(spec: Errors 403.1, 403.2; Limits)` and
 * `(contract: payments, Receiver 6)`.
 */
export function referenceProblems(folder: string): string[] {
  const book = readBook(folder);
  return filesOf(folder, sourcePatterns).flatMap((file) => {
    const text = readFileSync(join(folder, file), "utf8");
    if (!/\((?:spec|contract): /.test(text)) return [];
    const lineOf = (position: number) => text.slice(0, position).split("\n").length;
    return commentsIn(file, text).flatMap((comment) =>
      [...comment.text.matchAll(/\((spec|contract): ([^()]*)/g)].flatMap(({ 1: kind = "", 2: written = "", index }) => {
        const cited = written.replace(/\n\s*(?:\*|\/\/) /g, " ");
        const { page, places } = readReference(kind, cited);
        const known = book.get(page);
        const problems = known
          ? places.map((place) => placeProblem(page, known, place)).filter((problem) => problem !== undefined)
          : [`there is no ${page}`];
        const at = `${file}:${String(lineOf(comment.start + index))}: (${kind}: ${cited})`;
        return problems.map((problem) => `${at}: ${problem}; cite one that there is, or write it down there`);
      }),
    );
  });
}

/** Generated pages whose text is another one than that in `folder`. @param generated texts by path */
export const outdatedPages = (folder: string, generated: Readonly<Record<string, string>>): string[] =>
  Object.entries(generated)
    .filter(([file, text]) => !existsSync(join(folder, file)) || readFileSync(join(folder, file), "utf8") !== text)
    .map(([file]) => `${file}: it is not what the program says now; run npm run docs`);
