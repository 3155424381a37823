import { describe, expect, it } from "vitest";
import { askWayOn, wantsOtherPort } from "../../../electron/startup/ask-way-on.ts";
import { createShellText } from "../../../electron/texts/shell-text.ts";
import type { Remedy } from "../../../server/supervisor/run-error.ts";

/** A person who presses the button with this text, and chooses this folder. */
function person(button: string, folder?: string) {
  const asked: string[] = [];
  return {
    asked,
    ask: async ({ detail, buttons }: { detail: string; buttons: readonly string[] }) => {
      asked.push(detail, ...buttons);
      return buttons.indexOf(button);
    },
    chooseFolder: async () => folder,
  };
}
const otherFolder: Remedy = { type: "other-folder" };
const ask = (remedy: Remedy | undefined, dialogs: ReturnType<typeof person>) =>
  askWayOn("port 1 is taken", remedy, { dialogs, text: createShellText(() => "en") });

describe("a start that failed before there is a window", () => {
  it("says why, and ends where there is nothing to choose, as after a bad flag", async () => {
    const dialogs = person("Quit");
    expect(await ask(undefined, dialogs)).toEqual({ type: "quit" });
    expect(dialogs.asked).toEqual(["port 1 is taken", "Quit"]);
  });

  it("starts again on the folder that is chosen, where the data directory cannot be used", async () => {
    const restarted = { type: "restart", flags: ["--data-dir", "/media/炉"] };
    expect(await ask(otherFolder, person("Choose Another Folder…", "/media/炉"))).toEqual(restarted);
    expect(await ask(otherFolder, person("Choose Another Folder…"))).toEqual({ type: "quit" });
    expect(await ask(otherFolder, person("Quit", "/media/炉"))).toEqual({ type: "quit" });
  });

  it("starts again on a folder of its own, where a newer Hearth has used the data", async () => {
    const remedy: Remedy = { type: "own-folder", dataDir: "/data-1.0.0" };
    expect(await ask(remedy, person("Use a Separate Folder"))).toEqual({
      type: "restart",
      flags: ["--data-dir", "/data-1.0.0"],
    });
  });

  it("offers the data as this version left them, too, where the newer one has backed them up", async () => {
    const backup = { file: "/data/backups/a.tar", version: "1.0.0", time: new Date(0) };
    const remedy: Remedy = { type: "way-back", dataDir: "/data", ownDir: "/data-1.0.0", backup };
    const own = await ask(remedy, person("Use a Separate Folder"));
    expect(own).toEqual({ type: "restart", flags: ["--data-dir", "/data-1.0.0"] });
    const back = await ask(remedy, person("Restore This Version’s Data"));
    expect(back).toEqual({ type: "go-back", dataDir: "/data", backup });
    expect(await ask(remedy, person("Quit"))).toEqual({ type: "quit" });
  });

  it("starts without a backup before an update only where that is chosen", async () => {
    const restarted = { type: "restart", flags: ["--no-update-backup"] };
    expect(await ask({ type: "no-backup" }, person("Update Without a Backup"))).toEqual(restarted);
    expect(await ask({ type: "no-backup" }, person("Quit"))).toEqual({ type: "quit" });
  });

  it("opens the console of a Hearth that runs without a window", async () => {
    const remedy: Remedy = { type: "running", dataDir: "/data" };
    const way = await ask(remedy, person("Open the Console in the Browser"));
    expect(way).toEqual({ type: "open-console", dataDir: "/data" });
  });

  it("goes on with another port if that is wanted", async () => {
    const wants = (button: string) =>
      wantsOtherPort("port 1 is taken", { dialogs: person(button), text: createShellText(() => "en") });
    expect([await wants("Use Another Port"), await wants("Quit")]).toEqual([true, false]);
  });

  it("asks in Chinese, too", async () => {
    const dialogs = person("退出");
    expect(await askWayOn("…", otherFolder, { dialogs, text: createShellText(() => "zh") })).toEqual({ type: "quit" });
  });
});
