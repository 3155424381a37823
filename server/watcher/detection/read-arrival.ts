/** Classifies an entry that turns up at a path where none was known. Pure: uses neither the disk nor the clock. */
import type { FileFacts } from "./file-facts.ts";
import type { Hint } from "./hint.ts";
import { changeOnArrival, isWrittenSince } from "./map-event.ts";
import type { TreeNode } from "./snapshot-tree.ts";

/** @param folder the one in which it turned up */
export function readArrival({ renames, changed, seenUntil }: Hint, facts: FileFacts, folder: TreeNode | undefined) {
  /** Only a scan of the folder shows it: no notification named it. */
  const isFound = renames === 0 && !changed;
  const unseenBefore = isFound && folder?.arrived ? undefined : seenUntil;
  const kind = changeOnArrival(facts, { folderBorn: folder?.facts.born ?? 0, seenUntil: unseenBefore });
  const movedFolder = folder?.arrived?.as === "move" ? folder.arrived : undefined;
  return {
    isFound,
    kind,
    /** The move of its folder, with which it came. */
    cameAlong: isFound && movedFolder && facts.changed <= movedFolder.changed ? movedFolder : undefined,
    /** It existed before the watch, in a folder that could not be read. */
    isLate: isFound && folder?.unlearned === true && kind === "move",
    /** It came with its folder, and has been written since. */
    isWritten: renames === 0 && isWrittenSince(facts, movedFolder?.changed),
  };
}
