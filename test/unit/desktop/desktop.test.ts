import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { allPages } from "../../../renderer/shell/sidebar/nav-items.ts";
import { consolePages } from "../../../server/contract/console/console-pages.ts";
import { desktopSchema } from "../../../server/contract/console/machine/desktop.ts";
import { openDesktopState } from "../../../electron/desktop/desktop-state.ts";
import { openLogFile } from "../../../electron/desktop/log-file.ts";
import { createNotices, type DesktopNotice } from "../../../electron/desktop/notices.ts";
import { createPageDesktop } from "../../../electron/desktop/page-desktop.ts";
import { openedBy, withoutOpened } from "../../../electron/desktop/opened.ts";
import { pageOfLink } from "../../../electron/desktop/page-link.ts";
import { createShellText } from "../../../electron/texts/shell-text.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const fail = (error: unknown): never => {
  throw error;
};

describe("a link of the scheme hearth", () => {
  it("names any page of the console, and nothing else", () => {
    expect(allPages.map(({ item }) => item.to)).toEqual(consolePages);
    const names = consolePages.map((page) => (page === "/" ? "overview" : page.slice(1)));
    expect(names.map((name) => pageOfLink(`hearth://${name}`))).toEqual(consolePages);
    expect(pageOfLink("HEARTH://file-events/")).toBe("/file-events");
    const others = [
      "hearth://console/api",
      "hearth://..",
      "hearth://evil.example",
      "https://chat",
      "hearth:",
      "chat",
      "",
    ];
    expect(others.map(pageOfLink)).toEqual(Array(others.length).fill(undefined));
  });

  it("takes nothing along that a page could act on", () => {
    expect(pageOfLink("hearth://payments?place=JSAPI&order=1#now")).toBe("/payments");
    expect(pageOfLink("hearth://user:secret@payments/")).toBe("/payments");
    expect(pageOfLink("hearth://payments/api/../../x")).toBeUndefined();
  });

  it("is found among the arguments, where it is no setting", () => {
    const argv = ["--headless", "Hearth://chat", "--app-port", "0"];
    expect(openedBy(argv)).toBe("Hearth://chat");
    expect(withoutOpened(argv)).toEqual(["--headless", "--app-port", "0"]);
  });
});

describe("what the desktop program remembers", () => {
  it("is there at the next start, and a damaged file or part of it is as if it were not there", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "desktop.json");
    const open = () => openDesktopState(file, fail);
    const first = open().get();
    expect(first).toMatchObject({ onClose: "ask", isIntroduced: false, notify: { payments: false, watchers: true } });
    open().change({ onClose: "keep", language: "zh" });
    expect(open().get()).toEqual({ ...first, onClose: "keep", language: "zh" });
    writeFileSync(file, JSON.stringify({ onClose: "explode", language: "zh", place: { x: "left" } }));
    expect(open().get()).toEqual({ ...first, language: "zh" });
    writeFileSync(file, "{");
    expect(open().get()).toEqual(first);
  });

  it("counts for the run when it cannot be written", () => {
    using folder = temporaryFolder();
    const problems: unknown[] = [];
    mkdirSync(join(folder.path, "desktop.json"));
    const state = openDesktopState(join(folder.path, "desktop.json"), (error) => problems.push(error));
    state.change({ onClose: "quit" });
    expect(state.get().onClose).toBe("quit");
    expect(problems).toHaveLength(1);
  });

  it("is changed by the page only in what it may change", () => {
    using folder = temporaryFolder();
    const state = openDesktopState(join(folder.path, "desktop.json"), fail);
    const spoken: string[] = [];
    const page = createPageDesktop({
      state,
      hasTray: () => false,
      isNew: true,
      backup: { file: "/a.tar", version: "0.0.9", time: new Date(0) },
      loginItem: undefined,
      onLanguage: () => spoken.push(state.get().language ?? ""),
    });
    expect(desktopSchema.parse(page.read())).toMatchObject({ isFirstRun: true, hasTray: false, canOpenAtLogin: false });
    expect(page.read().wayBack).toEqual({ version: "0.0.9", time: "1970-01-01T00:00:00.000Z" });
    page.change({ language: "zh", isFirstRun: false, place: { x: 1 }, softwareDrawingOf: "1" });
    expect(page.read().isFirstRun).toBe(false);
    expect(spoken).toEqual(["zh"]);
    expect([state.get().softwareDrawingOf, state.get().place]).toEqual([undefined, undefined]);
    for (const wrong of [{ onClose: "explode" }, { notify: { payments: 1 } }, { isFirstRun: true }, "quit", null])
      expect(() => page.change(wrong)).toThrow();
  });
});

describe("the log file", () => {
  it("is replaced before it grows large, and only some older ones stay", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "logs", "hearth.log");
    const log = openLogFile(file, { maxBytes: 1_000, kept: 2 });
    for (let line = 0; line < 57; line++) {
      log.write(`line ${String(line).padStart(2, "0")} ${"x".repeat(91)}\n`);
      await log.flush();
    }
    const files = readdirSync(join(folder.path, "logs")).sort();
    expect(files).toEqual(["hearth.1.log", "hearth.2.log", "hearth.log"]);
    expect(readFileSync(file, "utf8")).toContain("line 56");
    for (const name of files) expect(statSync(join(folder.path, "logs", name)).size).toBeLessThanOrEqual(1_000);
    const again = openLogFile(file, { maxBytes: 1_000, kept: 2 });
    again.write("after a restart\n");
    await again.flush();
    expect(readFileSync(file, "utf8")).toMatch(/line 56[^]*after a restart/);
  });
});

describe("notifications of the system", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const settled = { order_id: 1, out_trade_no: "N1", amount: 1990, transaction_id: "T1" };

  function scene({ off = "", isWatched = false } = {}) {
    const shown: DesktopNotice[] = [];
    const take = createNotices({
      isOn: (kind) => kind !== off,
      isWatched: () => isWatched,
      text: createShellText(() => "en"),
      show: (notice) => shown.push(notice),
    });
    const tell = (type: string, data: unknown) => take({ type, data });
    return { shown, tell };
  }

  it("tell of payments, models and folders that fail, and lead to their page", () => {
    const { shown, tell } = scene();
    tell("payment.settled", settled);
    tell("model.pulled", { model: "llama3.2:1b" });
    tell("watch.changed", { id: 1, path: "/home/ada/site", state: "failed", reason: "it is gone" });
    tell("watch.changed", { id: 1, path: "/home/ada/site", state: "watching" });
    tell("session.created", { session_id: 1, user_id: 1 });
    tell("payment.settled", { none: "of it" });
    vi.runAllTimers();
    expect(shown).toEqual([
      { title: "Paid", body: "N1, ¥19.90", page: "/payments" },
      { title: "Model ready", body: "llama3.2:1b", page: "/models" },
      { title: "A folder cannot be watched", body: "/home/ada/site: it is gone", page: "/file-events" },
    ]);
  });

  it("are one for many events at once", () => {
    const { shown, tell } = scene();
    for (let order = 0; order < 300; order++) tell("payment.settled", settled);
    vi.runAllTimers();
    expect(shown).toEqual([{ title: "Paid", body: "300 payments", page: "/payments" }]);
  });

  it("are not shown where they are off, nor to somebody who looks at the console", () => {
    const scenes = [scene({ off: "payments" }), scene({ isWatched: true })];
    for (const { tell } of scenes) tell("payment.settled", settled);
    vi.runAllTimers();
    expect(scenes.map(({ shown }) => shown)).toEqual([[], []]);
  });
});
