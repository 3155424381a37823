import { createElement, useState } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { useReadingPosition } from "../../../../renderer/ui/table/use-reading-position.ts";

type Position = ReturnType<typeof useReadingPosition>;
interface Step {
  scope: string;
  /** The newest row first; absent while they are loaded. */
  ids?: number[];
  act?: (position: Position) => void;
}

/** What the reader of a list sees after each step. */
function read(steps: readonly Step[]) {
  const seen: { paused: boolean; shown: unknown[] }[] = [];
  function List() {
    const [at, setAt] = useState(0);
    const { scope, ids, act } = steps[at] ?? { scope: "" };
    const position = useReadingPosition(
      ids?.map((id) => ({ id })),
      scope,
    );
    // Until its state is settled, a list is rendered again; the last time is what is seen.
    const [isSettled, setSettled] = useState(false);
    seen[at] = { paused: position.paused, shown: position.table.rows.map(({ id }) => id) };
    if (!isSettled) {
      act?.(position);
      setSettled(true);
    } else if (at < steps.length - 1) {
      setAt(at + 1);
      setSettled(false);
    }
    return null;
  }
  renderToStaticMarkup(createElement(List));
  return seen;
}
const pause = (position: Position) => position.setPaused(true);
const resume = (position: Position) => position.setPaused(false);

it("A paused list stays paused under another filter, from the first rows that are known of it", () => {
  expect(
    read([
      { scope: "all", ids: [3, 2, 1], act: pause },
      { scope: "all", ids: [4, 3, 2, 1] },
      { scope: "failed" },
      { scope: "failed", ids: [7, 2] },
      { scope: "failed", ids: [9, 8, 7, 2] },
      { scope: "failed", ids: [9, 8, 7, 2], act: resume },
    ]),
  ).toEqual([
    { paused: true, shown: [3, 2, 1] },
    { paused: true, shown: [3, 2, 1] },
    { paused: true, shown: [] },
    { paused: true, shown: [7, 2] },
    { paused: true, shown: [7, 2] },
    { paused: false, shown: [9, 8, 7, 2] },
  ]);
});

it("A list that is paused before it is loaded stands still once it is", () => {
  const [, loaded, later] = read([
    { scope: "all", act: pause },
    { scope: "all", ids: [2, 1] },
    { scope: "all", ids: [3, 2, 1] },
  ]);
  expect([loaded, later]).toEqual([
    { paused: true, shown: [2, 1] },
    { paused: true, shown: [2, 1] },
  ]);
});

it("A reader who is away from the top of a list is at the top of the next one", () => {
  const [, away, next] = read([
    { scope: "all", ids: [2, 1], act: (position) => position.table.onAway(true) },
    { scope: "all", ids: [3, 2, 1] },
    { scope: "failed", ids: [3, 2, 1] },
  ]);
  expect([away, next]).toEqual([
    { paused: false, shown: [2, 1] },
    { paused: false, shown: [3, 2, 1] },
  ]);
});
