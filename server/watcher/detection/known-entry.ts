/** Finds the changes of an entry that is still at its path. Pure except for the marks on its node. */
import type { FileChange } from "../../contract/app/file-events.ts";
import type { FileFacts } from "./file-facts.ts";
import type { Hint } from "./hint.ts";
import { changesBetween, ownershipOrModeDiffers, owedChanges } from "./map-event.ts";
import type { TreeNode } from "./snapshot-tree.ts";

interface Circumstances {
  /** The platform names every changed entry once per change and has exact times (Linux). */
  readonly exact: boolean;
  /** In the same batch, an entry came and went at another path: it may have been this one. */
  readonly hasPassage: boolean;
}

/** The order in which changes found by one check are reported. */
const inOrder = ["modify", "attrib"] as const;
/** The entry was renamed, and renamed back. */
const thereAndBack = ["move", "move"] as const;

export function changesOfKnown(
  hint: Hint,
  known: TreeNode,
  facts: FileFacts,
  circumstances: Circumstances,
): readonly FileChange[] {
  return facts.kind === "directory"
    ? changesOfFolder(hint, known, facts, circumstances)
    : changesOfFile(hint, known, facts, circumstances.exact);
}

function changesOfFile(hint: Hint, known: TreeNode, facts: FileFacts, exact: boolean): readonly FileChange[] {
  const { changed, renames } = hint;
  const before = known.facts;
  const changes = new Set(changesBetween(before, facts, exact));
  // Report the write that followed the creation once: on the first check that shows it, whether its notification has
  // arrived, is on its way or was lost.
  if (known.writeOwed && (changed || facts.size > 0)) {
    delete known.writeOwed;
    for (const ev of owedChanges(facts, changed, exact)) changes.add(ev);
  } else if (exact && !changed && (renames > 0 || facts.links !== before.links) && changes.has("attrib")) {
    // A rename and another link set the time of change, too.
    const isWritten = changes.has("modify");
    const timeWasSet = !isWritten && facts.modified !== before.modified;
    if (!timeWasSet && !ownershipOrModeDiffers(before, facts)) changes.delete("attrib");
    if (changes.size === 0 && facts.links === before.links) return thereAndBack;
  }
  if (exact && hidesWrite(hint, known, facts, changes)) changes.add("modify");
  return inOrder.filter((ev) => changes.has(ev));
}

/**
 * Whether a write may be behind notifications of a file whose size and time are what they were: the time was set again after
 * it. One notification of attributes explains one change of attributes. Marks the file until the next notification.
 */
function hidesWrite(
  { changed, changedAgain = false }: Hint,
  known: TreeNode,
  facts: FileFacts,
  changes: ReadonlySet<FileChange>,
): boolean {
  if (!changed) return false;
  const isTouched = facts.changed !== known.facts.changed && !changes.has("modify");
  const isHidden = isTouched ? changedAgain : known.touched === true && changes.size === 0;
  if (isTouched && !isHidden) known.touched = true;
  else delete known.touched;
  return isHidden;
}

/** The times of a folder also change with its entries: only a notification tells that its own attributes did. */
function changesOfFolder(
  { renames }: Hint,
  known: TreeNode,
  facts: FileFacts,
  { exact, hasPassage }: Circumstances,
): readonly FileChange[] {
  const named = renames > 0 && known.renameOwed ? renames - 1 : renames;
  if (renames > 0) delete known.renameOwed;
  if (ownershipOrModeDiffers(known.facts, facts)) return ["attrib"];
  if (!exact || named === 0 || facts.changed === known.facts.changed) return [];
  const isRenamed = hasPassage && facts.modified === known.facts.modified;
  return isRenamed ? thereAndBack : ["attrib"];
}
