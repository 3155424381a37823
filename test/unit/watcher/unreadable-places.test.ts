import { join, resolve, sep } from "node:path";
import { expect, it } from "vitest";
import { createUnreadablePlaces } from "../../../server/watcher/folder/unreadable-places.ts";

const top = resolve(sep);

function placesIn(root: string) {
  const told: string[] = [];
  const onUnreadable = (path: string) => void told.push(path);
  return { told, ...createUnreadablePlaces({ root, onUnreadable, onReadable: (path) => void told.push(`-${path}`) }) };
}

it("the root of a file system takes in the places below it once it cannot be read", () => {
  const places = placesIn(top);
  const inner = join(top, "no-such-folder");
  places.add(inner, 2);
  places.add(top, 3);
  expect(places.told).toEqual([inner, `-${inner}`, top]);
  expect(places.entries()).toEqual([[top, 2]]);
});

it("a folder above the watched one may be unreadable: nothing of it is told", () => {
  const places = placesIn(join(top, "above", "watched"));
  for (const path of [join(top, "above"), top, join(top, "above", "watched-too")]) places.add(path, 0);
  expect([places.told, places.entries()]).toEqual([[], []]);
});
