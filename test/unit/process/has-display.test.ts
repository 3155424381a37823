import { createServer, type Server } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { resolveSettings } from "../../../server/process/settings/read-settings.ts";
import { deadDisplay, opensWindow } from "../../../server/process/terminal/has-display.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A display server that only takes connections. */
async function serveDisplay(path: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy()).listen(path);
  await once(server, "listening");
  return server;
}

describe.skipIf(process.platform !== "linux")("a display", () => {
  it.each([
    [{ DISPLAY: ":9871" }, ":9871"],
    [{ DISPLAY: "unix:9871.0" }, "unix:9871.0"],
    [{ DISPLAY: "127.0.0.1:9871" }, "127.0.0.1:9871"],
    [{ WAYLAND_DISPLAY: "wayland-9" }, "wayland-9"],
    [{ DISPLAY: ":9871", WAYLAND_DISPLAY: "/no/such/wayland-0" }, ":9871 and /no/such/wayland-0"],
  ])("is dead where nobody serves it: %j", async (env, named) => {
    expect(await deadDisplay(env)).toBe(named);
  });

  it("lives where one of those that are named is served, by X or Wayland", async () => {
    using folder = temporaryFolder();
    await using servers = new AsyncDisposableStack();
    servers.use(await serveDisplay(join(folder.path, "wayland-7")));
    servers.use(await serveDisplay("\0/tmp/.X11-unix/X9872"));
    const served = { WAYLAND_DISPLAY: "wayland-7", XDG_RUNTIME_DIR: folder.path };
    expect(await deadDisplay({ ...served, DISPLAY: ":9871" })).toBeUndefined();
    expect(await deadDisplay({ DISPLAY: ":9872.0", WAYLAND_DISPLAY: "wayland-9" })).toBeUndefined();
  });

  it("is left to Chromium where its name has a form of its own, and none where none is named", async () => {
    expect(await deadDisplay({ DISPLAY: "[::1]:9871" })).toBeUndefined();
    expect(await deadDisplay({ DISPLAY: "" })).toBeUndefined();
  });

  it("that is dead is none for a start, nor for what the start goes on with", async () => {
    const env = { DISPLAY: ":9871", HOME: "/home/ada" };
    const settings = resolveSettings({ data_dir: "/nowhere" }, {}, "/");
    expect(await opensWindow(settings, env)).toBe(false);
    expect(env).toEqual({ HOME: "/home/ada" });
  });
});
