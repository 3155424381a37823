/** The configuration file of a working directory, which may be a clone of anybody's repository. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { SettingName } from "../../../server/contract/process/settings.ts";
import { isKnownDirectory, noteDirectory, noteIfNamed } from "../../../server/process/settings/known-directories.ts";
import { projectAddresses } from "../../../server/process/settings/project-addresses.ts";
import {
  readOrigins,
  resolveRun,
  resolveSettings,
  SettingsError,
  variableName,
} from "../../../server/process/settings/read-settings.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const fileName = "hearth.config.json";
const hasGit = spawnSync("git", ["--version"]).status === 0;

/** A working directory with a file, and beside it the user's data directory, perhaps with one, too. */
function clone(says: object, userSays?: object) {
  const folder = temporaryFolder();
  const cwd = join(folder.path, "clone");
  const users = join(folder.path, "hearth");
  for (const path of [cwd, users]) mkdirSync(path);
  writeFileSync(join(cwd, fileName), JSON.stringify(says));
  if (userSays) writeFileSync(join(users, fileName), JSON.stringify(userSays));
  const env = { XDG_DATA_HOME: folder.path };
  return {
    cwd,
    users,
    outside: folder.path,
    resolve: (flags: Partial<Record<SettingName, unknown>> = {}, more: NodeJS.ProcessEnv = {}) =>
      resolveSettings(flags, { ...env, ...more }, cwd),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

function expectRefusal(run: () => unknown, name: string, reason: RegExp): void {
  expect(run).toThrow(SettingsError);
  expect(run).toThrow(
    new RegExp(`clone/hearth[.]config[.]json: ${name}: .*--${name.replaceAll("_", "-")}(?:,| or) HEARTH_`),
  );
  expect(run).toThrow(reason);
}

describe("the file of a working directory", () => {
  it.each([
    ["host", "0.0.0.0"],
    ["ready_file", "ready.json"],
    ["registry_auth", "registry.example=token"],
    ["registry_mirror", "https://mirror.example"],
    ["upstreams", ["gpu=http://gpu.example?key_env=SECRET"]],
    ["upstream_keys", "gpu=token"],
    ["models_dir_writable", true],
    ["cors_origins", ["*"]],
    ["cors_origins", "https://a.example,http://*"],
    ["cors_origins", ["null"]],
  ])("must not set %s to %j", (name, value) => {
    using folder = clone({ [name]: value });
    expectRefusal(folder.resolve, name, /must not be set/);
    expectRefusal(folder.resolve, name, new RegExp(join(folder.users, fileName)));
  });

  it.each(["data_dir", "model", "models_dir", "collections_dir", "routes_file"])(
    "may name a path for %s in its folder only, by links or not",
    (name) => {
      for (const path of ["..", "/etc", "inside/../../other", "link", "link/deep/er", "nowhere"]) {
        using folder = clone({ [name]: path });
        symlinkSync(folder.outside, join(folder.cwd, "link"));
        symlinkSync(join(folder.outside, "gone"), join(folder.cwd, "nowhere"));
        expectRefusal(folder.resolve, name, /is outside the folder/);
      }
      using folder = clone({ [name]: "inside/it" });
      expect(folder.resolve()[name as "data_dir"]).toBe(join(folder.cwd, "inside/it"));
    },
  );

  it("must not name a data directory that leads elsewhere by a link of its own", () => {
    using folder = clone({ data_dir: "data" });
    mkdirSync(join(folder.cwd, "data"));
    expect(folder.resolve().data_dir).toBe(join(folder.cwd, "data"));
    symlinkSync(folder.users, join(folder.cwd, "data", "uploads"));
    expectRefusal(folder.resolve, "data_dir", /contains a symbolic link/);
  });

  it("cannot lend its data directory's file more than it may say itself", () => {
    using folder = clone({ data_dir: "data" });
    mkdirSync(join(folder.cwd, "data"));
    noteDirectory(join(folder.cwd, "data"), folder.users);
    writeFileSync(join(folder.cwd, "data", fileName), '{"host":"0.0.0.0"}');
    expect(folder.resolve).toThrow(/data\/hearth[.]config[.]json: host: must not be set/);
    expect(folder.resolve({ data_dir: "data" }).host).toBe("0.0.0.0"); // the user has named it
  });

  it("may name a data directory that is empty, or that this user's Hearth has made just there", () => {
    using folder = clone({ data_dir: "data" });
    const data = join(folder.cwd, "data");
    const refusal = /data_dir: .*\/clone\/data contains .*--data-dir/;
    mkdirSync(data);
    writeFileSync(join(data, ".gitignore"), "*");
    expect(folder.resolve().data_dir).toBe(data);
    writeFileSync(join(data, "keys.json"), "{}");
    expect(folder.resolve).toThrow(SettingsError);
    expect(folder.resolve).toThrow(refusal);
    expect(folder.resolve({ data_dir: data }).data_dir).toBe(data); // the user has named it

    noteDirectory(data, folder.users);
    expect(folder.resolve().data_dir).toBe(data);
    // Another user knows nothing of it.
    expect(() => folder.resolve({}, { XDG_DATA_HOME: folder.cwd })).toThrow(refusal);

    const other = join(folder.cwd, "other");
    cpSync(data, other, { recursive: true });
    expect([data, other].map((one) => isKnownDirectory(one, folder.users))).toEqual([true, false]);
    renameSync(data, join(folder.outside, "gone"));
    renameSync(other, data);
    rmSync(join(data, "directory-id"));
    expect(folder.resolve).toThrow(refusal);
  });

  it.runIf(hasGit)("may name no data directory of which git keeps what Hearth trusts, also below, and links", () => {
    using folder = clone({ data_dir: "data" });
    const git = (...args: string[]) => execFileSync("git", ["-C", folder.cwd, ...args], { stdio: "ignore" });
    const inData = (...names: string[]) => join(folder.cwd, "data", ...names);
    git("init");
    for (const name of ["collections", "uploads"]) mkdirSync(inData(name), { recursive: true });
    noteDirectory(inData(), folder.users);
    writeFileSync(inData("keys.json"), "{}");
    expect(folder.resolve().data_dir).toBe(inData());

    // What the project's file may name anyway.
    for (const name of [".gitignore", "routes.json", "collections/notes.json"]) writeFileSync(inData(name), "{}");
    git("add", "--", "data/.gitignore", "data/routes.json", "data/collections/notes.json");
    expect(folder.resolve().data_dir).toBe(inData());

    symlinkSync(folder.users, inData("uploads", "contents"));
    for (const name of ["data/uploads/contents", "data/keys.json"]) {
      git("add", "--force", "--", name);
      expect(folder.resolve).toThrow(SettingsError);
      expect(folder.resolve).toThrow(`data_dir: git tracks ${name}, so a pull`);
      expect(folder.resolve({ data_dir: "data" }).data_dir).toBe(inData()); // the user has named it
      git("rm", "--cached", "--", name);
      expect(folder.resolve().data_dir).toBe(inData());
    }
  });

  it.runIf(hasGit)("has git keep nothing of its data directory, in each clone, unless other files are in it", () => {
    using folder = clone({ data_dir: "data" });
    const git = (...args: string[]) => execFileSync("git", ["-C", folder.cwd, ...args], { encoding: "utf8" });
    const data = join(folder.cwd, "data");
    git("init");
    mkdirSync(data);
    writeFileSync(join(data, "mine.txt"), "");
    noteIfNamed(folder.cwd, data, folder.users);
    expect(readdirSync(data)).not.toContain(".gitignore");
    rmSync(join(data, "mine.txt"));
    noteIfNamed(folder.cwd, data, folder.users);
    writeFileSync(join(data, "provider.db"), "");
    git("add", "-A");
    expect(git("ls-files", "data")).toBe("data/.gitignore\n");
    expect(folder.resolve().data_dir).toBe(data);
    writeFileSync(join(data, ".gitignore"), "own");
    noteIfNamed(folder.cwd, data, folder.users);
    expect(readFileSync(join(data, ".gitignore"), "utf8")).toBe("own");
  });

  it.runIf(hasGit)("has the repositories around its data directory asked, whatever they say of themselves", () => {
    using folder = clone({ data_dir: "d/data" });
    const data = join(folder.cwd, "d", "data");
    const git = (...args: string[]) => execFileSync("git", ["-C", folder.cwd, ...args], { stdio: "ignore" });
    git("init");
    mkdirSync(data, { recursive: true });
    noteDirectory(data, folder.users);
    writeFileSync(join(data, "keys.json"), "{}");
    git("add", "--force", "--", "d/data/keys.json");
    const refusal = "data_dir: git tracks d/data/keys.json, so a pull";
    expect(folder.resolve).toThrow(refusal);
    // One that looks like a repository without files.
    for (const name of ["refs", "objects"]) mkdirSync(join(folder.cwd, "d", name));
    writeFileSync(join(folder.cwd, "d", "HEAD"), "ref: refs/heads/main\n");
    expect(folder.resolve).toThrow(refusal);
    // Without git, somebody else can pull.
    vi.stubEnv("PATH", "");
    expect(folder.resolve).toThrow(refusal);
    vi.unstubAllEnvs();
    writeFileSync(join(folder.cwd, ".git", "index"), "none");
    expect(folder.resolve).toThrow(/data_dir: Hearth cannot read what git tracks in .*\(.+\), so a pull/);
    expect(folder.resolve({ data_dir: "d/data" }).data_dir).toBe(data); // the user has named it
  });

  it.runIf(hasGit)("may name no data directory that is the repository itself", () => {
    using folder = clone({ data_dir: "." });
    const git = (...args: string[]) => execFileSync("git", ["-C", folder.cwd, ...args], { stdio: "ignore" });
    git("init");
    noteIfNamed(folder.cwd, folder.cwd, folder.users);
    git("add", fileName);
    expect(folder.resolve().data_dir).toBe(folder.cwd);
    writeFileSync(join(folder.cwd, "provider.db"), "");
    git("add", "provider.db");
    expect(folder.resolve).toThrow("data_dir: git tracks provider.db, so a pull");
  });

  it("is the user's own where the working directory is the data directory", () => {
    using folder = clone({ host: "0.0.0.0" });
    expect(folder.resolve({ data_dir: "." }).host).toBe("0.0.0.0");
    expect(folder.resolve({}, { XDG_DATA_HOME: folder.outside, HEARTH_DATA_DIR: folder.cwd }).host).toBe("0.0.0.0");
  });

  const merchant = { payment_mch_id: "1", payment_app_id: "a" };
  const key = { payment_api_v2_key: "k".repeat(32) };
  it.each([
    ["identity_base_url", {}, { identity_app_secret: "s" }],
    ["payment_base_url", merchant, { ...merchant, ...key }],
    ["payment_notify_url", merchant, { ...merchant, ...key }],
  ])("cannot have the user's secrets sent to its %s, or what they sign", (name, rest, secrets) => {
    const says = { [name]: "https://elsewhere.example" };
    const refusal = new RegExp(`would get your ${Object.keys(secrets).at(-1) ?? ""} and must not be set`);
    using folder = clone({ ...rest, ...says }, secrets);
    expectRefusal(folder.resolve, name, refusal);
    using own = clone({ ...rest, ...says, ...secrets });
    expect(own.resolve()).toMatchObject(says);
    using both = clone({ ...rest, ...says }, { ...secrets, [name]: "https://mine.example" });
    expect(both.resolve()).toMatchObject({ [name]: "https://mine.example" });

    using bare = clone({ ...rest, ...says });
    const variables = Object.fromEntries(
      Object.entries({ ...secrets, [name]: "https://mine.example" }).map(([one, value]) => [
        variableName(one as SettingName),
        value,
      ]),
    );
    const { [variableName(name as SettingName)]: named, ...exported } = variables;
    expectRefusal(() => bare.resolve({}, exported), name, refusal);
    expectRefusal(() => bare.resolve(secrets), name, refusal);
    expect(bare.resolve({}, variables)).toMatchObject({ [name]: named });
    expect(bare.resolve({ [name]: named }, exported)).toMatchObject({ [name]: named });
  });

  it("cannot have a variable's secret sent to an address of the data directory that it names", () => {
    using folder = clone({ data_dir: "data" });
    mkdirSync(join(folder.cwd, "data"));
    noteDirectory(join(folder.cwd, "data"), folder.users);
    writeFileSync(join(folder.cwd, "data", fileName), '{"identity_base_url":"https://elsewhere.example"}');
    const exported = { HEARTH_IDENTITY_APP_SECRET: "s" };
    expect(() => folder.resolve({}, exported)).toThrow(
      /data\/hearth[.]config[.]json: identity_base_url: would get your/,
    );
    expect(folder.resolve().identity_base_url).toBe("https://elsewhere.example");
  });

  it("is known to the processes of a run, with absolute paths", () => {
    using folder = clone({ session_ttl_seconds: 100, routes_file: "routes.json" });
    const settings = resolveRun({ data_dir: folder.users }, folder.cwd);
    expect(readOrigins(settings).project).toEqual({
      session_ttl_seconds: 100,
      routes_file: join(folder.cwd, "routes.json"),
    });
  });

  it("is reported at the start with the addresses that it sets", () => {
    using folder = clone(
      { payment_notify_url: "https://shop.example", cors_origins: ["loopback", "https://a.example"], json_indent: 2 },
      { payment_notify_url: "https://mine.example" },
    );
    const settings = resolveRun({ data_dir: folder.users }, folder.cwd);
    expect(projectAddresses(settings, readOrigins(settings))).toMatch(
      /sets addresses: cors_origins https:\/\/a[.]example$/,
    );
    const without = { file: "", origins: {} };
    expect(projectAddresses(settings, without)).toBeUndefined();
  });
});

it("a data directory's file cannot name another folder as the data directory", () => {
  using folder = clone({}, { data_dir: "/elsewhere" });
  expect(folder.resolve).toThrow(/hearth\/hearth[.]config[.]json: data_dir: .*--data-dir/);
});
