/** The menu of a right click in the window, as a template. */
import type { ContextMenuParams, MenuItemConstructorOptions } from "electron";
import type { ShellTexts } from "./shell-texts.ts";

type Clicked = Pick<ContextMenuParams, "isEditable" | "selectionText" | "linkURL"> & {
  readonly editFlags: Pick<ContextMenuParams["editFlags"], "canCut" | "canCopy" | "canPaste" | "canSelectAll">;
};

/** What can be done with what was clicked; empty where that is nothing. */
export function contextMenu(
  texts: ShellTexts,
  { isEditable, selectionText, linkURL, editFlags }: Clicked,
  copy: (text: string) => void,
): MenuItemConstructorOptions[] {
  const { canCut, canCopy, canPaste, canSelectAll } = editFlags;
  const copyLink = { label: texts.copyLink, click: () => copy(linkURL) };
  return [
    ...(isEditable && canCut ? [{ role: "cut" as const, label: texts.cut }] : []),
    ...(selectionText !== "" && canCopy ? [{ role: "copy" as const, label: texts.copy }] : []),
    ...(isEditable && canPaste ? [{ role: "paste" as const, label: texts.paste }] : []),
    // On the page itself it would select the whole console.
    ...(isEditable && canSelectAll ? [{ role: "selectAll" as const, label: texts.selectAll }] : []),
    ...(linkURL === "" ? [] : [copyLink]),
  ];
}
