/** Finds the changes of an entry that is still at its path. Pure except for the marks on its node. */
import type { FileChange } from "../../contract/app/file-events.ts";
import type { FileFacts } from "./file-facts.ts";
import type { Hint } from "./hint.ts";
import { changesBetween, folderAttributesChanged, owedChanges } from "./map-event.ts";
import type { TreeNode } from "./snapshot-tree.ts";

/** The order in which changes found by one check are reported. */
const inOrder = ["modify", "attrib"] as const;

export function changesOfKnown(hint: Hint, known: TreeNode, facts: FileFacts, exact: boolean): FileChange[] {
  const { renames, changed, changedAgain } = hint;
  const before = known.facts;
  if (facts.kind === "directory") return folderAttributesChanged(before, facts, exact && renames > 0) ? ["attrib"] : [];
  const changes = new Set(changesBetween(before, facts, exact));
  // Report the write that followed the creation once: on the first check that shows it, whether its notification has
  // arrived, is on its way or was lost.
  if (known.writeOwed && (changed || facts.size > 0)) {
    delete known.writeOwed;
    for (const ev of owedChanges(facts, changed, exact)) changes.add(ev);
  }
  const timesSet = changed && facts.modified !== before.modified && !changes.has("modify");
  const isWriteHidden = timesSet ? changedAgain : changed && known.timesSet && changes.size === 0;
  if (isWriteHidden) changes.add("modify");
  if (timesSet && !isWriteHidden) known.timesSet = true;
  else if (changed) delete known.timesSet;
  return inOrder.filter((ev) => changes.has(ev));
}
