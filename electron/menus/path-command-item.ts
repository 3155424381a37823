/** The menu's entry that puts the command `hearth` on the user's path, or removes it. */
import type { MenuItemConstructorOptions } from "electron";
import {
  findPathCommand,
  installPathCommand,
  removePathCommand,
  type PathCommandSystem,
} from "../../server/process/installation/path-command.ts";
import type { ShellText } from "../texts/shell-text.ts";

interface PathCommandItem {
  readonly system: PathCommandSystem;
  /** The program's own path. */
  readonly program: string;
  readonly text: ShellText;
  /** Shows the result. */
  readonly show: (message: string, detail: string) => void;
  /** The command was installed or removed, so that the menu needs the opposite entry. */
  readonly onChange: () => void;
}

export function pathCommandItem(item: PathCommandItem): MenuItemConstructorOptions {
  const { system, program, text, show, onChange } = item;
  const isInstalled = findPathCommand(system) !== undefined;
  const install = () => {
    const { file, onPath } = installPathCommand(program, system);
    const folder = file.replace(/[\\/][^\\/]*$/, "");
    const hint = onPath ? text("command.new_terminal") : text("command.add_to_path", { folder });
    show(text("command.installed", { file }), hint);
  };
  const remove = () => {
    for (const file of removePathCommand(system)) show(text("command.removed", { file }), "");
  };
  return {
    label: text(isInstalled ? "command.remove" : "command.install"),
    click() {
      try {
        if (isInstalled) remove();
        else install();
      } catch (error) {
        show(text("command.failed"), (error as Error).message);
      }
      onChange();
    },
  };
}
