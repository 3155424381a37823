import { join, resolve, sep } from "node:path";
import { expect, it } from "vitest";
import { viewFrom } from "../../../server/watcher/folder/watched-path.ts";

const top = resolve(sep);

it.each([
  [join(top, "given"), join(top, "real")],
  [join(top, "given"), top],
  [top, join(top, "real")],
  [top, top],
])("what is watched as %s shows its paths below that, though it is %s", (dir, root) => {
  const view = viewFrom(dir, root);
  expect([view(root), view(join(root, "a", "b"))]).toEqual([dir, join(dir, "a", "b")]);
});
