import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { Ajv } from "ajv";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packagerConfig } from "../../../build/package/electron-builder.config.ts";
import { launchHearth } from "../../support/process/launch.ts";
import { doDataUpdate } from "../../support/process/data-update-job.ts";
import { doMainJob } from "../../support/process/main-job.ts";
import { buildPackages, newUser, openPackagedWindow, unpackProgram } from "../../support/process/packaged-program.ts";
import { hasSmallDisks } from "../../support/process/small-disk.ts";
import { doUpdate } from "../../support/process/update-job.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** Installed by the first build. */
const builderSchema = new URL("../../../build/packager/node_modules/app-builder-lib/scheme.json", import.meta.url);

describe("a package", () => {
  const folder = temporaryFolder();
  const isLinux = process.platform === "linux";
  /** dpkg gives files their owner: that takes root, or a namespace in which one is. */
  const canUseDpkg = isLinux && (process.getuid?.() === 0 || hasSmallDisks);
  let built: string;
  let binary: string;
  beforeAll(async () => {
    built = await buildPackages();
    binary = unpackProgram(built, join(folder.path, "Meine Prögramme 程序"));
  });
  afterAll(() => folder[Symbol.dispose]());

  it("does its job for a new user with an empty home, as the window shows, without Node or npm", async () => {
    using user = newUser(join(folder.path, "Zuhause 家"));
    const watched = join(user.home, "Notizen 笔记");
    mkdirSync(watched);
    chmodSync(watched, 0o777);
    await using window = await openPackagedWindow(binary, user);
    await using watch = launchHearth({
      command: [binary, ...user.flags, "watch", watched, "--to", `${window.addresses.app}/api/inotify/`],
      cwd: user.home,
      ...(user.ids && { user: user.ids }),
      env: { HOME: user.home, PATH: join(user.home, "nothing") },
    });
    await watch.prints("watching");
    await doMainJob({ ...window, watched });
  });

  it.runIf(isLinux)(
    "offers a newer version, refuses a forged one, and installs it only when told to, killed at each step before",
    async () => {
      using world = temporaryFolder();
      const [deb = ""] = globSync("*.deb", { cwd: built });
      await doUpdate(join(built, deb), world.path);
      // Seven starts of the whole program.
    },
    900_000,
  );

  it.runIf(isLinux)("gives an older version its data back that a newer one has changed", async () => {
    using world = temporaryFolder();
    await doDataUpdate(binary, world.path);
  });

  const resources = () =>
    process.platform === "darwin" ? join(dirname(dirname(binary)), "Resources") : join(dirname(binary), "resources");

  it("contains the licence of everything in it, and a list of that for programs", () => {
    const read = (file: string) => readFileSync(join(resources(), "licences", file), "utf8");
    expect(read("LICENSE.txt")).toContain("The Hearth developers");
    const texts = read("third-party.txt");
    const { components } = JSON.parse(read("hearth.cdx.json")) as { components: { name: string }[] };
    const listed = components.map(({ name }) => name);
    // Of the server, of the console, with native code, and two whose packages have no text of their own.
    for (const name of ["express", "react", "@img/sharp-libvips-linux-x64", "@nodable/entities"]) {
      expect(listed).toContain(name);
      expect(texts).toMatch(new RegExp(`^${name} \\d`, "m"));
    }
    expect(listed).toEqual(expect.arrayContaining(["electron", "llama.cpp"]));
    for (const text of ["The ggml authors", "Meta Platforms", "GNU LESSER GENERAL PUBLIC LICENSE", "Amit Gupta"])
      expect(texts).toContain(text);
    expect(readdirSync(dirname(binary))).toEqual(
      expect.arrayContaining(["LICENSE.electron.txt", "LICENSES.chromium.html"]),
    );
  });

  it("is described to electron-builder in its own terms, for every system", () => {
    const schema = JSON.parse(readFileSync(builderSchema, "utf8")) as object;
    const ajv = new Ajv({ strict: false, allowUnionTypes: true });
    // electron-builder's own keyword, for hooks.
    ajv.addKeyword({ keyword: "typeof", validate: (wanted: string, value: unknown) => typeof value === wanted });
    const validate = ajv.compile(schema);
    const electron = { version: "1.0.0", dist: folder.path, official: true };
    const icons = { folder: "icons", icns: "icon.icns", ico: "icon.ico", svg: "icon.svg" };
    for (const platform of ["linux", "darwin", "win32"] as const)
      for (const arch of ["x64", "arm64"])
        expect([
          validate(packagerConfig({ electron, output: built, icons, licences: built, platform, arch })),
          validate.errors,
        ]).toEqual([true, null]);
  });

  it.runIf(isLinux)("contains nothing of other systems, other languages, or what builds it", () => {
    const files = globSync("**", { cwd: dirname(binary) });
    expect(readdirSync(join(dirname(binary), "locales")).sort()).toEqual(["en-US.pak", "zh-CN.pak", "zh-TW.pak"]);
    expect(files.filter((file) => /musl|cmake|swagger-ui-es|[.](map|d[.]ts|md)$/.test(file))).toEqual([]);
    const natives = files.filter((file) => /[.](node|dll|dylib)$/.test(file));
    expect(natives.filter((file) => !file.includes(`linux-${process.arch}`))).toEqual([]);
    expect(natives.length).toBeGreaterThan(0);
  });

  it.runIf(canUseDpkg)(
    "is installed by dpkg, the same, with a command, a menu entry, icons and Chromium's sandbox, and removed but for homes",
    () => {
      const into = join(folder.path, "deb");
      const home = join(into, "home/ada/.local/share/hearth");
      for (const made of [home, ...["info", "updates", "triggers"].map((name) => join(into, "var/lib/dpkg", name))])
        mkdirSync(made, { recursive: true });
      writeFileSync(join(into, "var/lib/dpkg/status"), "");
      const [deb = ""] = globSync("*.deb", { cwd: built });
      const dpkg = (...args: string[]) => {
        const forced = ["depends", "script-chrootless", "bad-path"].map((what) => `--force-${what}`);
        const all = ["dpkg", `--root=${into}`, ...forced, ...args];
        return execFileSync("unshare", [...(process.getuid?.() === 0 ? [] : ["-r"]), ...all], {
          encoding: "utf8",
          stdio: "pipe",
        });
      };
      dpkg("-i", join(built, deb));
      const program = join(into, "opt/Hearth");
      const files = (at: string) => globSync("**", { cwd: at }).sort();
      expect(files(program)).toEqual([...files(dirname(binary)), "resources/package-type"].sort());
      expect(lstatSync(join(program, "chrome-sandbox")).mode & 0o7777).toBe(0o4755);
      expect(readlinkSync(join(into, "usr/bin/hearth"))).toBe("/opt/Hearth/hearth");
      const entry = readFileSync(join(into, "usr/share/applications/hearth.desktop"), "utf8");
      expect(entry).toContain("Exec=/opt/Hearth/hearth %U");
      expect(entry).toContain("MimeType=application/x-gguf;x-scheme-handler/hearth;");
      expect(readFileSync(join(into, "usr/share/mime/packages/hearth.xml"), "utf8")).toContain("*.gguf");
      for (const size of ["16x16", "512x512"])
        expect(lstatSync(join(into, `usr/share/icons/hicolor/${size}/apps/hearth.png`)).size).toBeGreaterThan(100);
      const run = (...args: string[]) => execFileSync(args[0] ?? "", args.slice(1), { encoding: "utf8" });
      expect(run("dpkg-deb", "-f", join(built, deb), "Package", "Architecture")).toMatch(/hearth\n.*(amd64|arm64)/);
      expect(dpkg("-r", "hearth")).toContain("data stay in their homes");
      expect(files(into).filter((file) => /^(opt|usr)\/.*/.test(file))).toEqual([]);
      expect(dpkg("-P", "hearth")).toContain("No home is changed");
      expect(existsSync(home)).toBe(true);
    },
  );
});
