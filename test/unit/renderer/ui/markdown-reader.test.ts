import { beforeEach, describe, expect, it, vi } from "vitest";
import { createMarkdownReader, type ReadMarkdown } from "../../../../renderer/ui/markdown/markdown-reader.ts";
import type { MarkdownNode } from "../../../../renderer/ui/markdown/parse-markdown.ts";

/** Workers that answer when a test has them answer. */
function openScene() {
  const workers: {
    readonly asked: string[];
    isEnded: boolean;
    readonly load: () => void;
    readonly answer: (tree: readonly MarkdownNode[] | undefined) => void;
    readonly fail: () => void;
  }[] = [];
  const reader = createMarkdownReader((onMessage, onFailure) => {
    const asked: string[] = [];
    const worker = {
      asked,
      isEnded: false,
      load: () => onMessage("loaded"),
      answer: (tree: readonly MarkdownNode[] | undefined) => onMessage({ tree }),
      fail: onFailure,
    };
    workers.push(worker);
    return { read: (text) => void asked.push(text), end: () => void (worker.isEnded = true) };
  });
  const came: (readonly [string, ReadMarkdown])[] = [];
  const read = (text: string) => reader.read(text, (tree) => void came.push([text, tree]));
  const worker = (number: number) => {
    const found = workers[number];
    if (!found) throw new Error(`only ${String(workers.length)} workers were started`);
    return found;
  };
  return { reader, read, came, workers, worker };
}

beforeEach(() => {
  vi.useFakeTimers();
  return () => void vi.useRealTimers();
});

describe("The reader of Markdown", () => {
  it("has its worker read one text at a time, and remembers the trees", () => {
    const { reader, read, came, workers, worker } = openScene();
    read("a");
    read("b");
    expect(worker(0).asked).toEqual([]);
    worker(0).load();
    expect(worker(0).asked).toEqual(["a"]);
    worker(0).answer(["a"]);
    worker(0).answer(["b"]);
    read("a");
    expect(worker(0).asked).toEqual(["a", "b"]);
    expect(came).toEqual([
      ["a", ["a"]],
      ["b", ["b"]],
      ["a", ["a"]],
    ]);
    expect(reader.known("b")).toEqual(["b"]);
    expect(workers).toHaveLength(1);
  });

  it("reads of a growing text the newest one only, and forgets the beginnings of what it has read", () => {
    const { reader, read, worker } = openScene();
    read("a");
    worker(0).load();
    const withdraw = read("ab");
    withdraw();
    read("abc");
    worker(0).answer(["a"]);
    worker(0).answer(["abc"]);
    expect(worker(0).asked).toEqual(["a", "abc"]);
    expect(reader.known("a")).toBe(undefined);
    expect(reader.known("abc")).toEqual(["abc"]);
  });

  it("ends a worker that comes to no end, and shows the text, and whatever begins with it, as it is", () => {
    const { reader, read, came, worker } = openScene();
    read("endless");
    worker(0).load();
    read("quick");
    vi.advanceTimersToNextTimer();
    expect(worker(0).isEnded).toBe(true);
    expect(came).toEqual([["endless", "plain"]]);
    worker(1).load();
    expect(worker(1).asked).toEqual(["quick"]);
    worker(1).answer(["quick"]);
    read("endless and more");
    expect(worker(1).asked).toEqual(["quick"]);
    expect(came.slice(1)).toEqual([
      ["quick", ["quick"]],
      ["endless and more", "plain"],
    ]);
    expect(reader.known("another")).toBe(undefined);
  });

  it("shows a text as it is when it has no tree or is very long", () => {
    const { reader, read, worker } = openScene();
    read("large");
    worker(0).load();
    worker(0).answer(undefined);
    expect(reader.known("large")).toBe("plain");
    expect(reader.known("x".repeat(1_000_000))).toBe("plain");
  });

  it("starts its worker again while the worker's code does not come", () => {
    const { read, came, workers, worker } = openScene();
    read("a");
    worker(0).fail();
    expect([worker(0).isEnded, workers.length]).toEqual([true, 1]);
    vi.advanceTimersToNextTimer();
    worker(1).load();
    worker(1).answer(["a"]);
    expect(came).toEqual([["a", ["a"]]]);
  });
});
