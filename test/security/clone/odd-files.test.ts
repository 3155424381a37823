/** Files of a clone that are no plain files, or lead elsewhere: no command waits for them, reads beyond the folder or crashes. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectFileProblem } from "../../../server/process/settings/project-file.ts";
import { launchHearth } from "../../support/process/launch.ts";
import { runCommand } from "../../support/process/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

function clone() {
  const folder = temporaryFolder();
  const [cwd, home] = [join(folder.path, "clone"), join(folder.path, "home")];
  for (const path of [cwd, home]) mkdirSync(path);
  const env = { HOME: home, XDG_DATA_HOME: home, TMPDIR: home };
  return {
    at: (...parts: string[]) => join(cwd, ...parts),
    outside: (name: string) => join(folder.path, name),
    pipe: (...parts: string[]) => void execFileSync("mkfifo", [join(cwd, ...parts)]),
    configure: (text: string) => writeFileSync(join(cwd, "hearth.config.json"), text),
    hearth: (...args: string[]) => runCommand(args, env, cwd),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

const refused = (reason: RegExp) => ({ code: 2, stderr: expect.stringMatching(reason) as string });

describe.skipIf(process.platform === "win32")("a clone whose settings are", () => {
  it("a pipe gets a refusal from every command, and none waits", async () => {
    using folder = clone();
    folder.pipe("hearth.config.json");
    for (const name of ["start", "serve", "devices", "keys", "open", "uninstall"])
      expect(await folder.hearth(name), name).toMatchObject(refused(/hearth\.config\.json is no file/));
  });

  it("a device or of gigabytes gets a refusal", async () => {
    using folder = clone();
    symlinkSync("/dev/zero", folder.at("hearth.config.json"));
    expect(await folder.hearth("devices")).toMatchObject(refused(/is a link out of the folder/));
    using large = clone();
    large.configure("{}");
    truncateSync(large.at("hearth.config.json"), 3 * 1024 ** 3);
    expect(await large.hearth("devices")).toMatchObject(refused(/hearth\.config\.json is too large/));
  });

  it("a link out of it gets a refusal that says nothing of the file it leads to", async () => {
    using folder = clone();
    writeFileSync(folder.outside("theirs.json"), '{"name-of-an-account":1}');
    symlinkSync(folder.outside("theirs.json"), folder.at("hearth.config.json"));
    const { code, stdout, stderr } = await folder.hearth("devices");
    expect([code, stderr]).toEqual([2, expect.stringContaining("is a link out of the folder")]);
    expect(stdout + stderr).not.toContain("name-of-an-account");
  });

  it("a data directory with a pipe for an id is refused as one that Hearth has not made", async () => {
    using folder = clone();
    folder.configure('{"data_dir":"data"}');
    mkdirSync(folder.at("data"));
    folder.pipe("data", "directory-id");
    expect(await folder.hearth("devices")).toMatchObject(refused(/that your Hearth did not create/));
  });

  it("a merchant's key file of gigabytes is refused", async () => {
    using folder = clone();
    const merchant = {
      payment_version: "v3",
      payment_mch_id: "1",
      payment_app_id: "wx1",
      payment_merchant_serial: "1A",
    };
    const key = { payment_api_v3_key: "k".repeat(32), payment_merchant_key_file: "key.pem" };
    folder.configure(JSON.stringify({ ...merchant, ...key }));
    writeFileSync(folder.at("key.pem"), "");
    truncateSync(folder.at("key.pem"), 1024 ** 3);
    const ports = ["--app-port", "0", "--provider-port", "0", "--model-port", "0"];
    const { code, stdout, stderr } = await folder.hearth("serve", ...ports);
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain("is not the PEM file of the required RSA key");
  });
});

it.runIf(process.platform === "linux")(
  "a folder that a link in a clone's collections leads to is not watched",
  async () => {
    using folder = clone();
    folder.configure('{"collections_dir":"collections"}');
    mkdirSync(folder.at("collections"));
    mkdirSync(folder.outside("theirs"));
    symlinkSync(folder.outside("theirs"), folder.at("collections", "theirs"));
    symlinkSync("self.json", folder.at("collections", "self.json"));
    await using hearth = launchHearth({ cwd: folder.at() });
    const { app } = await hearth.ready();
    const pid = String(await hearth.pidOf("app"));
    const watched = () =>
      readdirSync(`/proc/${pid}/fdinfo`)
        .map((name) => readFileSync(`/proc/${pid}/fdinfo/${name}`, "utf8"))
        .join("");
    const inode = (path: string) => `ino:${statSync(path).ino.toString(16)} `;
    await expect.poll(watched).toContain(inode(folder.at("collections")));
    writeFileSync(folder.at("collections", "notes.json"), '{"type":"object","properties":{"a":{"type":"string"}}}');
    await expect.poll(async () => (await fetch(`${app}/api/notes`)).status).not.toBe(404);
    expect(watched()).not.toContain(inode(folder.outside("theirs")));
    expect(hearth.outputSoFar()).not.toContain("no longer noticed");
  },
);

describe("a value of a clone's settings", () => {
  it("of lists within lists is refused in one line", async () => {
    using folder = clone();
    folder.configure(`{"log_level":${"[".repeat(200_000)}${"]".repeat(200_000)}}`);
    const { code, stderr } = await folder.hearth("devices");
    expect([code, stderr]).toEqual([2, expect.stringMatching(/nested too deeply\n$/)]);
  });

  it("that is a path with a zero in it, or a list, is refused before anything is looked up", async () => {
    using folder = clone();
    writeFileSync(folder.outside("hearth.config.json"), '{"name-of-an-account":1}');
    for (const value of ["a\0b", [".."], null, { toString: ".." }]) {
      folder.configure(JSON.stringify({ data_dir: value }));
      const { code, stderr } = await folder.hearth("devices");
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/data_dir: .* is not a path in a working directory's file/),
      ]);
      expect(stderr).not.toContain("name-of-an-account");
    }
  });

  it.each([
    "\\\\them.example\\share",
    "//them.example/share",
    "\\/them.example/share",
    "\\\\?\\UNC\\them.example\\share",
  ])("that names another machine as %s lies outside, and the machine is not asked", (value) => {
    using folder = clone();
    for (const name of ["models_dir", "collections_dir", "routes_file", "data_dir", "model"] as const)
      expect(projectFileProblem(folder.at(), { [name]: value })).toEqual({
        name,
        reason: { code: "project.outside", values: { value: JSON.stringify(value) } },
      });
  });
});
