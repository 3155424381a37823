/** Reads GitHub's Markdown into a plain tree, which a worker can send to the page. Some texts take it minutes. */
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { toHast } from "mdast-util-to-hast";
import { gfm } from "micromark-extension-gfm";
import { alignLists } from "./align-lists.ts";
import { hasLongRun } from "../code/bounded-text.ts";

/** The elements of a text. The page makes no others. */
const tags = [
  ...(["h1", "h2", "h3", "h4", "h5", "h6", "p", "blockquote", "ul", "ol", "li", "pre", "hr", "section"] as const),
  ...(["table", "thead", "tbody", "tr", "th", "td"] as const),
  ...(["a", "img", "code", "em", "strong", "del", "sup", "br", "input"] as const),
];
export type MarkdownTag = (typeof tags)[number];

export interface MarkdownElement {
  readonly tag: MarkdownTag;
  /** Where a link leads to, or a picture comes from, as the text has it. */
  readonly address?: string;
  /** Says what a picture shows. */
  readonly alternative?: string;
  /** The number of a list's first item. */
  readonly start?: number;
  /** The alignment of a cell. */
  readonly align?: "left" | "center" | "right";
  /** Whether a task is done. */
  readonly isDone?: boolean;
  readonly children: readonly MarkdownNode[];
}
export type MarkdownNode = string | MarkdownElement;

/** Showing a larger tree would keep the page busy. */
const mostNodes = 10_000;
/** A block of code has its own button. */
const nodesOfCode = 50;
const deepest = 100;

class TooLargeError extends Error {
  override readonly name = "TooLargeError";
}

type HastNode = ReturnType<typeof toHast>;

/** @throws an error where the page would take too long to show the tree */
export function parseMarkdown(text: string): readonly MarkdownNode[] {
  if (hasLongRun(text)) throw new TooLargeError("the text has a run of letters or marks without a space");
  const tree = fromMarkdown(alignLists(text), { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  return createPlainTree()(toHast(tree, { allowDangerousHtml: true }), 0);
}

/** Within these, the ends of lines are no text. */
const containers = new Set<string>(["blockquote", "ul", "ol", "section", "table", "thead", "tbody", "tr"]);
const isTag = (name: string): name is MarkdownTag => (tags as readonly string[]).includes(name);

function createPlainTree() {
  let left = mostNodes;
  return function plain(node: HastNode, depth: number): MarkdownNode[] {
    if (depth > deepest) throw new TooLargeError("the text is nested too deep");
    left -= node.type === "element" && node.tagName === "pre" ? nodesOfCode : 1;
    if (left < 0) throw new TooLargeError("the text has too many parts");
    // HTML is shown as it is.
    if (node.type === "text" || node.type === "raw") return [node.value];
    if (node.type !== "element" && node.type !== "root") return [];
    const isContainer = node.type === "root" || containers.has(node.tagName);
    const children = node.children
      .filter((child) => !(isContainer && child.type === "text" && child.value === "\n"))
      .flatMap((child) => plain(child, depth + 1));
    if (node.type === "root" || !isTag(node.tagName)) return children;
    const { href, src, alt, start, align, checked } = node.properties;
    const address = href ?? src;
    return [
      {
        tag: node.tagName,
        ...(typeof address === "string" && { address }),
        ...(typeof alt === "string" && { alternative: alt }),
        ...(typeof start === "number" && { start }),
        ...((align === "left" || align === "center" || align === "right") && { align }),
        ...(typeof checked === "boolean" && { isDone: checked }),
        children,
      },
    ];
  };
}
