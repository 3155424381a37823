import type { MenuItemConstructorOptions } from "electron";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createStatusMenus } from "../../../electron/desktop/status-menus.ts";
import { applicationMenu, type MenuActions } from "../../../electron/menus/application-menu.ts";
import { contextMenu } from "../../../electron/menus/context-menu.ts";
import { createShellText, languageOfLocale } from "../../../electron/texts/shell-text.ts";
import { trayMenu } from "../../../electron/menus/tray-menu.ts";

const english = createShellText(() => "en");
const chinese = createShellText(() => "zh");
const labels = (items: readonly MenuItemConstructorOptions[]): string[] =>
  items.flatMap(({ label, submenu }) => [...(label === undefined ? [] : [label]), ...labels(asList(submenu))]);
const asList = (submenu: MenuItemConstructorOptions["submenu"]) => (Array.isArray(submenu) ? submenu : []);
const find = (items: readonly MenuItemConstructorOptions[], label: string): MenuItemConstructorOptions | undefined =>
  items.flatMap((item) => [item, ...asList(item.submenu)]).find((item) => item.label === label);
const click = (items: readonly MenuItemConstructorOptions[], label: string) =>
  (find(items, label)?.click as (() => void) | undefined)?.();

const rolesOf = (items: readonly MenuItemConstructorOptions[]): string[] =>
  items.flatMap(({ role, submenu }) => [...(role === undefined ? [] : [role]), ...rolesOf(asList(submenu))]);
const onPlatform = (platform: NodeJS.Platform) => vi.spyOn(process, "platform", "get").mockReturnValue(platform);
afterEach(() => void vi.restoreAllMocks());

const urls = { app: "http://127.0.0.1:3080", model: "http://127.0.0.1:11434" };

function menuScene(more: Partial<MenuActions> = {}) {
  const done: string[] = [];
  const note = (what: string) => () => void done.push(what);
  const actions: MenuActions = {
    openDataFolder: note("data folder"),
    openInBrowser: note("browser"),
    showPage: (page) => done.push(page),
    copy: (text) => done.push(text),
    openLogs: note("logs"),
    copyDiagnostics: note("diagnostics"),
    ...more,
  };
  return { done, actions, menu: applicationMenu(english, urls, actions) };
}

describe("the menu bar", () => {
  it("leads to settings, help, logs and diagnostics, and copies addresses of what answers", () => {
    const { menu, done } = menuScene();
    for (const label of ["Settings…", "API Documentation", "Open Log Folder", "Copy Diagnostics"]) click(menu, label);
    const addresses = asList(find(menu, "Copy Address")?.submenu);
    expect(labels(addresses)).toEqual([`Application server: ${urls.app}`, `Model service: ${urls.model}`]);
    click(addresses, `Model service: ${urls.model}`);
    expect(done).toEqual(["/settings", "/api-docs", "logs", "diagnostics", urls.model]);
  });

  it("offers updates, a restart and older data only where the program can do them, and has them", () => {
    expect(labels(menuScene().menu).join()).not.toMatch(/Updates|Restart|Back/);
    const { menu, done } = menuScene({
      checkForUpdates: () => done.push("updates"),
      restart: () => done.push("restart"),
      restoreData: { version: "0.0.9", offer: async () => void done.push("way back") },
    });
    for (const label of ["Check for Updates…", "Restart Hearth", "Restore Data of Hearth 0.0.9…"]) click(menu, label);
    expect(done).toEqual(["updates", "restart", "way back"]);
  });

  it("has what macOS expects of a program there alone", () => {
    const ofMac = ["services", "hide", "hideOthers", "unhide", "front"];
    const found = (platform: NodeJS.Platform) => {
      onPlatform(platform);
      return rolesOf(menuScene().menu).filter((role) => ofMac.includes(role));
    };
    expect([found("darwin"), found("linux"), found("win32")]).toEqual([ofMac, [], []]);
  });

  it("has every text in Chinese where that is the console's language", () => {
    onPlatform("darwin");
    const { actions } = menuScene({
      checkForUpdates: () => undefined,
      restart: () => undefined,
      restoreData: { version: "0.0.9", offer: async () => undefined },
    });
    const found = labels(applicationMenu(chinese, {}, actions)).filter((label) => label !== "Hearth");
    expect(found.filter((label) => !/\p{Script=Han}/u.test(label))).toEqual([]);
    expect(found).toHaveLength(labels(applicationMenu(english, {}, actions)).length - 1);
    expect(["zh", "zh-CN", "zh-Hant-TW", "en-US", "de"].map(languageOfLocale)).toEqual(["zh", "zh", "zh", "en", "en"]);
  });
});

describe("the tray's menu", () => {
  const service = { urls: {}, restarts: 0, since: "" };

  it("tells each service and watched folder with its state, and restarts, pauses, resumes and ends", () => {
    const done: unknown[] = [];
    const menu = trayMenu(
      english,
      {
        services: [
          { ...service, name: "app", state: "up" },
          { ...service, name: "model", state: "external" },
        ],
        urls,
        folders: [
          { id: 1, path: "/home/ada/site", state: "watching" },
          { id: 2, path: "/home/ada/old", state: "paused" },
        ],
      },
      {
        open: () => done.push("open"),
        copy: (text) => done.push(text),
        restart: (name) => done.push(`restart ${name}`),
        setPaused: (id, paused) => done.push([id, paused]),
        quit: () => done.push("quit"),
      },
    );
    for (const label of ["Open Hearth", "Restart", "/home/ada/site: watched", "/home/ada/old: paused", "Quit Hearth"])
      click(menu, label);
    expect(done).toEqual(["open", "restart app", [1, true], [2, false], "quit"]);
    const [restart] = asList(find(menu, "Model service: external Ollama")?.submenu);
    expect(restart?.enabled).toBe(false);
  });
});

it("The tray's menu marks a folder as it is watched after a click that changed nothing, which the system has marked", async () => {
  const menus: MenuItemConstructorOptions[][] = [];
  const folders = [{ id: 1, path: "/home/ada/site", state: "watching" }];
  const { update, refetch } = createStatusMenus({
    text: english,
    run: () => ({ statuses: () => [], urls: () => ({}) }) as never,
    onFailure: () => undefined,
    client: () => ({ folders: async () => folders, setPaused: async () => Promise.reject(new Error("busy")) }) as never,
    actions: menuScene().actions,
    open: () => undefined,
    quit: () => undefined,
    showMenu: () => undefined,
    showTrayMenu: (menu) => menus.push(menu),
  });
  await refetch();
  update();
  expect(menus).toHaveLength(1);
  click(menus[0] ?? [], "/home/ada/site: watched");
  await expect.poll(() => menus.length).toBe(2);
  expect(find(menus[1] ?? [], "/home/ada/site: watched")?.checked).toBe(true);
});

describe("the menu of a right click", () => {
  const cannot = { canUndo: false, canRedo: false, canCut: false, canCopy: false, canPaste: false, canDelete: false };
  const flags = { ...cannot, canSelectAll: true, canEditRichly: false };
  const text = { isEditable: false, selectionText: "", linkURL: "", editFlags: flags };
  const link = "http://127.0.0.1:3080/console/chat";
  const copied: string[] = [];
  const at = (params: Partial<typeof text>, say = english) =>
    contextMenu(say, { ...text, ...params }, (one) => copied.push(one));

  it("offers what can be done with the text there, and is not shown where that is nothing", () => {
    expect(at({})).toEqual([]);
    expect(rolesOf(at({ selectionText: "N1", editFlags: { ...flags, canCopy: true } }))).toEqual(["copy"]);
    expect(rolesOf(at({ isEditable: true, editFlags: { ...flags, canPaste: true } }))).toEqual(["paste", "selectAll"]);
    const editFlags = { ...flags, canCut: true, canCopy: true, canPaste: true };
    const full = { isEditable: true, selectionText: "N1", editFlags };
    expect(rolesOf(at(full))).toEqual(["cut", "copy", "paste", "selectAll"]);
    expect(labels(at({ ...full, linkURL: link }, chinese))).toEqual(["剪切", "复制", "粘贴", "全选", "复制链接"]);
  });

  it("copies the address of a link", () => {
    const menu = at({ linkURL: link });
    expect(labels(menu)).toEqual(["Copy Link"]);
    click(menu, "Copy Link");
    expect(copied).toEqual([link]);
  });
});
