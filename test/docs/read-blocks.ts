/** The code blocks of the pages, and what a page says, unseen by its readers, about how a block is tested. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Shell blocks are run, JSON is read, and text behind a shell block is what that prints; on a page without commands it is a
 * listing. A comment before a block, `<!-- KIND: VALUE -->`. "not run": why. "from": the file of this repository that has these lines.
 * "file": where in the data directory it lies when Hearth starts. "settings": it is a hearth.config.json. "in the background":
 * it runs until the end of the page. "starts": one of its commands starts a Hearth, which is started alone; the value says why
 * the commands behind it are not run. "alone": no Hearth runs meanwhile, and one has left data in the usual folder.
 */
const markKinds = ["not run", "from", "file", "settings", "in the background", "starts", "alone"] as const;
type MarkKind = (typeof markKinds)[number];

export interface Block {
  /** Relative to the repository, with `/`. */
  readonly page: string;
  /** Of its first fence, from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  readonly mark: { readonly kind: MarkKind; readonly value: string } | undefined;
}

export const placeOf = ({ page, line }: Block) => `${page}:${String(line)}`;

/** Every page for readers, the Chinese ones too. */
export const pages: readonly string[] = [
  ...globSync("*.md", { cwd: root }),
  ...globSync(".github/**/*.md", { cwd: root }),
  ...globSync("server/cli/agent/skills/**/*.md", { cwd: root }),
  ...globSync("docs/**/*.md", { cwd: root, exclude: ["**/node_modules"] }),
]
  .map((page) => page.replaceAll("\\", "/"))
  .sort();

const fence = /^( *)(```+)([^`]*)$/;
const comment = /^ *<!-- ([a-z ]+?)(?:: (.*))? -->$/;

function markIn(line: string): Block["mark"] {
  const [, name, value = ""] = comment.exec(line) ?? [];
  const kind = markKinds.find((one) => one === name);
  return kind && { kind, value };
}

/** The blocks of a page, from its top to its bottom. */
export function readBlocks(page: string): Block[] {
  const lines = readFileSync(join(root, page), "utf8").split("\n");
  const blocks: Block[] = [];
  let mark: Block["mark"];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const [, indent = "", ticks, language = ""] = fence.exec(line) ?? [];
    if (ticks !== undefined) {
      const end = lines.findIndex((one, index) => index > at && one.trim() === ticks);
      if (end < 0) throw new Error(`${page}:${String(at + 1)}: this block has no end`);
      const text = lines.slice(at + 1, end).map((one) => (one.startsWith(indent) ? one.slice(indent.length) : one));
      blocks.push({ page, line: at + 1, language: language.trim(), text: text.join("\n"), mark });
      at = end;
      mark = undefined;
    } else if (line.trim() !== "") mark = markIn(line);
  }
  return blocks;
}

export const isChinese = (page: string) => /(^|[/.])zh-CN[/.]/.test(page);

/** The blocks of the English pages; the Chinese pages have the same. */
export const englishBlocks: readonly Block[] = pages.filter((page) => !isChinese(page)).flatMap(readBlocks);

export const marked = (kind: MarkKind) => englishBlocks.filter(({ mark }) => mark?.kind === kind);

/** Whether the block's commands are run, in the order of the page. */
export const isRun = ({ language, mark }: Block) =>
  language === "sh" && (mark === undefined || mark.kind === "in the background");

export const pagesThatRun = [...new Set(englishBlocks.filter(isRun).map(({ page }) => page))];

/** What a reader does without a copy of the repository's examples. */
export const guidesThatRun = pagesThatRun.filter((page) => page === "README.md" || page.startsWith("docs/guides/"));
