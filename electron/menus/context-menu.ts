/** The menu of a right click in the window, as a template. */
import type { ContextMenuParams, MenuItemConstructorOptions } from "electron";
import type { ShellText } from "../texts/shell-text.ts";

type Clicked = Pick<ContextMenuParams, "isEditable" | "selectionText" | "linkURL"> & {
  readonly editFlags: Pick<ContextMenuParams["editFlags"], "canCut" | "canCopy" | "canPaste" | "canSelectAll">;
};

/** The actions that the clicked element allows; empty if there are none. */
export function contextMenu(
  text: ShellText,
  { isEditable, selectionText, linkURL, editFlags }: Clicked,
  copy: (text: string) => void,
): MenuItemConstructorOptions[] {
  const { canCut, canCopy, canPaste, canSelectAll } = editFlags;
  const copyLink = { label: text("menu.copy_link"), click: () => copy(linkURL) };
  return [
    ...(isEditable && canCut ? [{ role: "cut" as const, label: text("menu.cut") }] : []),
    ...(selectionText !== "" && canCopy ? [{ role: "copy" as const, label: text("menu.copy") }] : []),
    ...(isEditable && canPaste ? [{ role: "paste" as const, label: text("menu.paste") }] : []),
    // On the page itself it would select the whole console.
    ...(isEditable && canSelectAll ? [{ role: "selectAll" as const, label: text("menu.select_all") }] : []),
    ...(linkURL === "" ? [] : [copyLink]),
  ];
}
