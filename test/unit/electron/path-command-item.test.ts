import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pathCommandItem } from "../../../electron/menus/path-command-item.ts";
import { createShellText } from "../../../electron/texts/shell-text.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** The menu's entry over a home in the folder; `click` chooses what the menu has just then. */
function menuOver(home: string) {
  const told: string[] = [];
  let changes = 0;
  const userPath = { add: () => undefined, remove: () => undefined };
  const item = () =>
    pathCommandItem({
      system: { platform: "linux", home, env: { PATH: "/bin" }, userPath },
      program: "/opt/hearth",
      text: createShellText(() => "en"),
      show: (message, detail) => void told.push(`${message} ${detail}`.trim()),
      onChange: () => void changes++,
    });
  const click = () => (item().click as () => void)();
  return { told, changes: () => changes, label: () => item().label, click };
}

it("puts the command on the path, says so, and is then the way to take it away", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, ".local", "bin", "hearth");
  const menu = menuOver(folder.path);
  expect(menu.label()).toBe("Install the Command “hearth”");
  menu.click();
  expect(existsSync(file)).toBe(true);
  expect(menu.told[0]).toContain(file);
  expect(menu.told[0]).toContain(`add ${join(folder.path, ".local", "bin")} to the PATH`);
  expect(menu.label()).toBe("Remove the Command “hearth”");
  menu.click();
  expect(existsSync(file)).toBe(false);
  expect(menu.told[1]).toContain(file);
  expect([menu.label(), menu.changes()]).toEqual(["Install the Command “hearth”", 2]);
});

it("says why it does not replace a command of somebody else", () => {
  using folder = temporaryFolder();
  const bin = join(folder.path, ".local", "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "hearth"), "echo mine");
  const menu = menuOver(folder.path);
  menu.click();
  expect(menu.told).toEqual([expect.stringMatching(/^The command could not be changed .*does not belong to Hearth/)]);
});
