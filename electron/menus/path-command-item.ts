/** The menu's entry that puts the command `hearth` on the user's path, or takes it away again. */
import type { MenuItemConstructorOptions } from "electron";
import {
  findPathCommand,
  installPathCommand,
  removePathCommand,
  type PathCommandSystem,
} from "../../server/process/installation/path-command.ts";

const texts = {
  en: {
    install: "Install the Command “hearth”",
    remove: "Remove the Command “hearth”",
    installed: (file: string) => `The command is there: ${file}`,
    newTerminal: "A new terminal knows it as “hearth”.",
    addToPath: (folder: string) => `Add ${folder} to the PATH of your shell, so that it is known as “hearth”.`,
    removed: (file: string) => `The command is gone: ${file}`,
    failed: "The command cannot be changed",
  },
  zh: {
    install: "安装命令“hearth”",
    remove: "移除命令“hearth”",
    installed: (file: string) => `命令已安装：${file}`,
    newTerminal: "在新的终端中可以使用“hearth”。",
    addToPath: (folder: string) => `请将 ${folder} 加入 shell 的 PATH，即可使用“hearth”。`,
    removed: (file: string) => `命令已移除：${file}`,
    failed: "无法更改命令",
  },
};

interface PathCommandItem {
  readonly system: PathCommandSystem;
  /** The program's own path. */
  readonly program: string;
  readonly language: keyof typeof texts;
  /** Tells the person what came of it. */
  readonly tell: (message: string, detail: string) => void;
  /** The menu is to be made anew: the entry is the opposite one now. */
  readonly onChange: () => void;
}

export function pathCommandItem(item: PathCommandItem): MenuItemConstructorOptions {
  const { system, program, tell, onChange } = item;
  const text = texts[item.language];
  const isInstalled = findPathCommand(system) !== undefined;
  const install = () => {
    const { file, onPath } = installPathCommand(program, system);
    tell(text.installed(file), onPath ? text.newTerminal : text.addToPath(file.replace(/[\\/][^\\/]*$/, "")));
  };
  const remove = () => {
    for (const file of removePathCommand(system)) tell(text.removed(file), "");
  };
  return {
    label: isInstalled ? text.remove : text.install,
    click() {
      try {
        if (isInstalled) remove();
        else install();
      } catch (error) {
        tell(text.failed, (error as Error).message);
      }
      onChange();
    },
  };
}
