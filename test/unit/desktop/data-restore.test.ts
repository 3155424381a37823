import type { MessageBoxOptions } from "electron";
import { describe, expect, it } from "vitest";
import { createShellText } from "../../../electron/texts/shell-text.ts";
import { createDataRestore } from "../../../electron/updates/data-restore.ts";

const backup = { file: "/data/backups/a.tar", version: "0.0.9", time: new Date("2026-11-21T12:00:00Z") };

/** A person who answers the first question by this button. */
function scene(button: string, restore: () => Promise<string | undefined>, language: "en" | "zh" = "en") {
  const asked: MessageBoxOptions[] = [];
  let hasQuit = false;
  const wayBack = createDataRestore({
    backup,
    updateUrl: "https://example.org/hearth",
    text: createShellText(() => language),
    ask: async (question) => {
      asked.push(question);
      return { response: question.buttons?.indexOf(button) ?? 0 };
    },
    quit: () => (hasQuit = true),
    restore,
  });
  return { wayBack, asked, hasQuit: () => hasQuit };
}
const mustNot = () => Promise.reject(new Error("restored"));

describe("the way back from an update", () => {
  it("says what it means for what was written since, and does nothing unless it is chosen", async () => {
    const { wayBack, asked, hasQuit } = scene("Cancel", mustNot);
    await wayBack.offer();
    await wayBack.finish();
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ message: "Restore the data of Hearth 0.0.9?", defaultId: 1, cancelId: 1 });
    expect(asked[0]?.detail).toMatch(/November 21, 2026.*Newer data moves to the folder “backups”/);
    expect(hasQuit()).toBe(false);
  });

  it("ends Hearth first, then puts the data back, and says how to go on", async () => {
    const { wayBack, asked, hasQuit } = scene("Restore and Quit", async () => "/data/backups/before-restore-1");
    await wayBack.offer();
    expect([hasQuit(), asked.length]).toEqual([true, 1]);
    await wayBack.finish();
    expect(asked[1]?.message).toBe("The data of Hearth 0.0.9 is restored");
    expect(asked[1]?.detail).toMatch(/Start Hearth 0\.0\.9 now.*example\.org\/hearth.*before-restore-1/s);
  });

  it("tells what kept it from putting the data back", async () => {
    const { wayBack, asked } = scene("恢复并退出", () => Promise.reject(new Error("damaged")), "zh");
    await wayBack.offer();
    await wayBack.finish();
    expect(asked[1]).toMatchObject({ type: "error", message: "无法恢复数据", detail: "damaged" });
  });
});
