/** Reads Markdown in a worker, one text at a time. A text that takes longer than the deadline is shown as it is. */
import type { MarkdownNode } from "./parse-markdown.ts";

/** The tree of a text, or that it is shown as it is. */
export type ReadMarkdown = readonly MarkdownNode[] | "plain";

/** `loaded` comes once. A text that cannot be shown as a tree has none. */
export type FromMarkdownWorker = "loaded" | { readonly tree: readonly MarkdownNode[] | undefined };

/** The part of a worker that the reader uses. */
export interface MarkdownWorker {
  readonly read: (text: string) => void;
  readonly end: () => void;
}
/** Starts a worker. It calls `onFailure` when its code does not come. */
export type StartWorker = (onMessage: (message: FromMarkdownWorker) => void, onFailure: () => void) => MarkdownWorker;

/** Longer texts are shown as they are. */
const longestText = 200_000;
const deadlineMs = 2_000;
const againMs = 1_000;
const mostKept = 500;
const mostKeptCharacters = 2_000_000;
const mostHopeless = 20;

interface Wanted {
  readonly text: string;
  readonly onRead: (read: ReadMarkdown) => void;
}

/** The texts that were read last, the newest at the end. */
function createKept() {
  const kept = new Map<string, readonly MarkdownNode[]>();
  let characters = 0;
  let newest = "";
  const drop = (text: string) => {
    if (kept.delete(text)) characters -= text.length;
  };
  return {
    get: (text: string) => kept.get(text),
    set(text: string, tree: readonly MarkdownNode[]) {
      // Only the longest text of an answer that still comes is of use.
      if (text.startsWith(newest)) drop(newest);
      drop(text);
      kept.set(text, tree);
      characters += text.length;
      newest = text;
      for (const [oldest] of kept) {
        if (kept.size <= mostKept && characters <= mostKeptCharacters) break;
        drop(oldest);
      }
    },
  };
}

export function createMarkdownReader(startWorker: StartWorker) {
  const kept = createKept();
  /** Beginnings of texts: what follows them makes no text quicker to read. */
  const hopeless: string[] = [];
  const wanted: Wanted[] = [];
  let worker: MarkdownWorker | undefined;
  let isLoaded = false;
  let running: Wanted | undefined;
  let deadline: ReturnType<typeof setTimeout> | undefined;

  function known(text: string): ReadMarkdown | undefined {
    const isHopeless = text.length > longestText || hopeless.some((beginning) => text.startsWith(beginning));
    return isHopeless ? "plain" : kept.get(text);
  }

  function start(): void {
    worker = startWorker((message) => {
      if (message === "loaded") isLoaded = true;
      else finish(message.tree);
      next();
    }, startAgain);
  }

  function end(): void {
    worker?.end();
    worker = undefined;
    isLoaded = false;
  }

  function startAgain(): void {
    end();
    setTimeout(() => {
      if (!worker) start();
    }, againMs);
  }

  function finish(tree: readonly MarkdownNode[] | undefined): void {
    clearTimeout(deadline);
    if (!running) return;
    const { text, onRead } = running;
    running = undefined;
    if (tree) kept.set(text, tree);
    else hopeless.splice(0, Math.max(0, hopeless.push(text) - mostHopeless));
    onRead(tree ?? "plain");
  }

  /** Begins with the text that waits longest. */
  function next(): void {
    while (!running && isLoaded) {
      running = wanted.shift();
      if (!running) return;
      const read = known(running.text);
      if (read === undefined) {
        worker?.read(running.text);
        deadline = setTimeout(() => {
          end();
          start();
          finish(undefined);
        }, deadlineMs);
      } else {
        const { onRead } = running;
        running = undefined;
        onRead(read);
      }
    }
  }

  return {
    /** The reading of a text so far. */
    known,
    /** Reads a text. @returns a function that withdraws it; a text that is being read comes all the same */
    read(text: string, onRead: (read: ReadMarkdown) => void): () => void {
      const one = { text, onRead };
      wanted.push(one);
      if (!worker) start();
      next();
      return () => {
        const at = wanted.indexOf(one);
        if (at >= 0) wanted.splice(at, 1);
      };
    },
  };
}
