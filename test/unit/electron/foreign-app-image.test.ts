import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { dropForeignAppImage } from "../../../electron/startup/foreign-app-image.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const left = (env: NodeJS.ProcessEnv, program: string) => {
  dropForeignAppImage(env, program);
  return env;
};

it("an AppImage's variables stay where the program is in it, and go where another one has handed them down", () => {
  using folder = temporaryFolder();
  const mount = join(folder.path, "mount");
  const link = join(folder.path, "link");
  mkdirSync(mount);
  symlinkSync(mount, link);
  const program = join(mount, "hearth");
  for (const APPDIR of [mount, link]) {
    const own = { APPIMAGE: "/apps/Hearth.AppImage", APPDIR, PATH: "/bin" };
    expect(left({ ...own }, program)).toEqual(own);
  }
  const editors = {
    APPIMAGE: "/apps/Editor.AppImage",
    APPDIR: "/tmp/.mount_Editor",
    OWD: "/",
    ARGV0: "editor",
    PATH: "/bin",
  };
  expect(left({ ...editors }, program)).toEqual({ PATH: "/bin" });
  expect(left({ ...editors, APPDIR: `${mount}-other` }, program)).toEqual({ PATH: "/bin" });
  expect(left({ APPIMAGE: "/apps/Editor.AppImage" }, program)).toEqual({});
});
