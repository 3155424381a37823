import { mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createConsoleClient } from "../../../../electron/desktop/console-client.ts";
import { createStatusMenus } from "../../../../electron/desktop/status-menus.ts";
import { createShellText } from "../../../../electron/texts/shell-text.ts";
import type { EventPage } from "../../../../server/contract/console/traffic/event-endpoints.ts";
import type { WatchedFolder } from "../../../../server/contract/console/data/watched-folders.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { callConsole } from "../../../support/app/control-calls.ts";
import { consoleToken, startTestApp } from "../../../support/app/test-app.ts";

it("A folder that is deleted while it is watched has failed, and is watched again when it is back, with all that is in it", async () => {
  using temporary = temporaryFolder();
  await using app = await startTestApp();
  const folder = join(realpathSync(temporary.path), "dist");
  mkdirSync(folder);
  const headers = { Authorization: `Bearer ${consoleToken}`, "Content-Type": "application/json" };
  const url = `${app.url}/console/api/watched-folders`;
  const added = await fetch(url, { method: "POST", headers, body: JSON.stringify({ path: folder }) });
  const { id } = (await added.json()) as WatchedFolder;
  const shown = async () => (await (await fetch(`${url}/${String(id)}`, { headers })).json()) as WatchedFolder;
  rmSync(folder, { recursive: true });
  await expect.poll(shown).toMatchObject({ state: "failed", reason: `${folder}: no such folder` });
  mkdirSync(folder);
  writeFileSync(join(folder, "new"), "x");
  await expect.poll(shown).toMatchObject({ state: "watching", counts: { create: 1 } });
  expect(await shown()).not.toHaveProperty("reason");
});

it("The state of a watched folder is told by an event each time it changes, and once while a watch fails again and again", async () => {
  using temporary = temporaryFolder();
  await using app = await startTestApp();
  const folder = join(realpathSync(temporary.path), "site");
  mkdirSync(folder);
  const call = (method: string, path: string, body?: unknown) => callConsole(app, method, path, body);
  const told = async () => {
    const { events } = (await (await call("GET", "/events?type=watch.changed")).json()) as EventPage;
    return events.map(({ data }) => data as { path: string; state: string; reason?: string }).reverse();
  };
  const states = async () => (await told()).map(({ state }) => state);

  const { id } = (await (await call("POST", "/watched-folders", { path: folder })).json()) as WatchedFolder;
  await expect.poll(states).toEqual(["watching"]);
  const one = `/watched-folders/${String(id)}`;
  await call("PATCH", one, { paused: true });
  rmSync(folder, { recursive: true });
  await call("PATCH", one, { paused: false });
  await call("PATCH", one, { paused: false });
  await expect.poll(states).toEqual(["watching", "paused", "failed"]);
  expect((await told()).at(-1)).toMatchObject({ path: folder, reason: expect.stringContaining(folder) as string });
  await call("DELETE", one);
  await expect.poll(states).toEqual(["watching", "paused", "failed", "ended"]);
});

it("The desktop program learns of a folder that has failed before it listened, or while it could not, and tells it once", async () => {
  using temporary = temporaryFolder();
  await using app = await startTestApp();
  const folder = join(realpathSync(temporary.path), "site");
  mkdirSync(folder);
  const { id } = (await (await callConsole(app, "POST", "/watched-folders", { path: folder })).json()) as WatchedFolder;
  const setPaused = (paused: boolean) => callConsole(app, "PATCH", `/watched-folders/${String(id)}`, { paused });
  const client = createConsoleClient({ origin: () => app.url, token: consoleToken });
  const told: string[] = [];
  let shown = "";
  const menus = createStatusMenus({
    text: createShellText(() => "en"),
    run: () => ({ statuses: () => [], urls: () => ({}), restart: () => undefined }) as never,
    onFailure: ({ reason = "" }) => told.push(reason),
    client: () => client,
    actions: {} as never,
    open: () => undefined,
    quit: () => undefined,
    showMenu: () => undefined,
    showTrayMenu: (menu) => (shown = JSON.stringify(menu)),
  });
  /** Follows the events until it has been connected, and has looked up what became of the folders. */
  async function connect(): Promise<void> {
    const ending = new AbortController();
    const connected = Promise.withResolvers<void>();
    const onConnect = () => void menus.refetch().then(connected.resolve);
    const followed = client.follow({ onConnect, onEvent: () => undefined }, ending.signal);
    await connected.promise;
    ending.abort();
    await followed;
  }
  await connect();
  expect([shown, told]).toEqual([expect.stringContaining(`${folder}: watched`), []]);
  await setPaused(true);
  rmSync(folder, { recursive: true });
  await setPaused(false);
  await connect();
  expect([shown, told]).toEqual([expect.stringContaining(`${folder}: failed`), [expect.stringContaining(folder)]]);
  await connect();
  expect(told).toHaveLength(1);
});
