/** A thread that reads Markdown, so that the page can end it. */
import type { FromMarkdownWorker } from "./markdown-reader.ts";
import { parseMarkdown, type MarkdownNode } from "./parse-markdown.ts";

const report = (message: FromMarkdownWorker) => self.postMessage(message);

function treeOf(text: string): readonly MarkdownNode[] | undefined {
  try {
    return parseMarkdown(text);
  } catch {
    return undefined; // too large, or nested deeper than the thread's stack
  }
}

self.addEventListener("message", ({ data }: MessageEvent<string>) => report({ tree: treeOf(data) }));
report("loaded");
