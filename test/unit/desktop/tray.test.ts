import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { findTray } from "../../../electron/desktop/find-tray.ts";
import { keepTray } from "../../../electron/desktop/keep-tray.ts";
import { createTray } from "../../../electron/menus/tray.ts";
import { patienceMs } from "../../support/eventually.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const { clickTray } = vi.hoisted(() => ({ clickTray: vi.fn<() => void>() }));
vi.mock("electron", () => ({
  Tray: class {
    setToolTip = () => clickTray.mockReset();
    on = (_click: string, open: () => void) => clickTray.mockImplementation(open);
  },
}));

it("A tray is there on macOS and Windows, and on Linux only where the session's bus knows one", async () => {
  expect(await Promise.all([findTray("darwin", {}), findTray("win32", {})])).toEqual([true, true]);
  expect(await findTray("linux", {})).toBe(false);
  using folder = temporaryFolder();
  const gdbus = join(folder.path, "gdbus");
  const env = { PATH: folder.path, DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere" };
  expect(await findTray("linux", env)).toBe(undefined);
  for (const [answer, found] of [
    ["echo '(true,)'", true],
    ["echo '(false,)'", false],
    ["exit 1", undefined],
  ] as const) {
    writeFileSync(gdbus, `#!/bin/sh\n${answer}\n`, { mode: 0o755 });
    expect(await findTray("linux", env, patienceMs)).toBe(found);
  }
});

describe("the icon in the tray", () => {
  function scene() {
    const is: { found: boolean | undefined } = { found: false };
    const done: string[] = [];
    const ending = new AbortController();
    const tray = keepTray({
      find: async () => is.found,
      create: () => ({ destroy: () => done.push("gone") }),
      onIcon: () => done.push("there"),
      ending: ending.signal,
      firstPauseMs: 1,
    });
    return { is, done, ending, tray };
  }

  it("comes with a panel that is later than Hearth, goes with it, and comes again", async () => {
    const { is, done, tray } = scene();
    expect([await tray.look(), tray.icon()]).toEqual([false, undefined]);
    const later = tray.lookLater();
    is.found = true;
    await later;
    expect([await tray.look(), done]).toEqual([true, ["there"]]);
    // A busy machine does not answer in time.
    is.found = undefined;
    expect([await tray.look(), done]).toEqual([true, ["there"]]);
    is.found = false;
    expect([await tray.look(), tray.icon(), done]).toEqual([false, undefined, ["there", "gone"]]);
    is.found = true;
    expect([await tray.look(), done]).toEqual([true, ["there", "gone", "there"]]);
  });

  it("is not looked for any more where Hearth ends, or no panel comes", async () => {
    const { is, done, ending, tray } = scene();
    await tray.lookLater();
    is.found = true;
    ending.abort();
    await expect(tray.lookLater()).rejects.toThrow();
    expect([await tray.look(), done]).toEqual([false, []]);
  });

  it.each(["linux", "win32", "darwin"] as const)("opens the window by a click, but on macOS (%s)", (platform) => {
    const done: string[] = [];
    vi.spyOn(process, "platform", "get").mockReturnValue(platform);
    createTray(() => done.push("open"));
    vi.restoreAllMocks();
    clickTray();
    expect(done).toEqual(platform === "darwin" ? [] : ["open"]);
  });
});
