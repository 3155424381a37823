/** What lies in the data directory is for its owner alone; what users have named themselves is as they want it. */
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { backupsFolder } from "../../../server/contract/process/backup-names.ts";
import { configFileName } from "../../../server/process/settings/config-file.ts";
import { isHearthsName } from "../../../server/process/settings/data-names.ts";
import { createRunnerSocket, removeLeftRunnerSocket } from "../../../server/supervisor/runner-socket.ts";
import { prepareDataDir } from "../../../server/supervisor/data-directory/prepare-data-dir.ts";
import { chatOnce } from "../../support/model/chat.ts";
import { builtCommand, launchHearth } from "../../support/process/launch.ts";
import { startModelProcess } from "../../support/model/model-process.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const modeOf = (path: string) => (lstatSync(path).mode & 0o777).toString(8);
/** Files and folders that others may do something with. */
const openToOthers = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => Number(`0o${modeOf(join(folder, name))}`) & 0o077,
  );

/** Makes files and folders (whose names end in "/") that everybody can read. */
function makeOpen(folder: string, names: readonly string[]): void {
  for (const name of names) {
    const path = join(folder, name);
    mkdirSync(name.endsWith("/") ? path : dirname(path), { recursive: true });
    if (!name.endsWith("/")) writeFileSync(path, "x");
    chmodSync(path, name.endsWith("/") ? 0o755 : 0o644);
  }
}

/** Every name that the sources put below the data directory. */
function namesInSources(): string[] {
  const sources = ["server", "electron"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  );
  const texts = sources.filter((path) => path.endsWith(".ts")).map((path) => readFileSync(path, "utf8"));
  return texts.flatMap((text) => [...text.matchAll(/join\([\w.]*data_?dir, "([^"]+)"/gi)].map(([, name = ""]) => name));
}

describe("a name in the data directory", () => {
  it("is known as Hearth's where Hearth gives it, also that of an unfinished file", () => {
    const names = namesInSources();
    expect(names).toEqual(expect.arrayContaining(["hearth.db", "keys.json", "lock.db", "run.json", "window"]));
    const unfinished = ["keys.json.7.part", "platform-certificate.pem.part", ".0123456789abcdef.ready"];
    const all = [...names, ...unfinished, configFileName, backupsFolder];
    expect(all.filter((name) => !isHearthsName(name))).toEqual([]);
  });

  it("is another's otherwise", () => {
    const foreign = ["notes.txt", "my.db", "keys.json.txt", "package.json", ".ready", "x.part"];
    expect(foreign.filter(isHearthsName)).toEqual([]);
  });
});

describe.skipIf(process.platform === "win32")("the data directory", () => {
  it("is created for its owner only, with everything that a run writes there", async () => {
    using folder = temporaryFolder();
    const dataDir = join(folder.path, "new", "data");
    await using hearth = launchHearth({ dataDir });
    const { app, provider, model } = await hearth.ready();
    await fetch(`${provider}/sim/users/ada/login`, { method: "POST" });
    await fetch(`${provider}/sim/credentials`);
    await fetch(`${app}/api/inotify/`, { method: "POST", body: new URLSearchParams({ df: "/a", ev: "create" }) });
    const layer = "x".repeat(10);
    const digest = createHash("sha256").update(layer).digest("hex");
    await fetch(`${model ?? ""}/api/blobs/sha256:${digest}`, { method: "POST", body: layer });
    await chatOnce(model ?? "");
    const names = readdirSync(dataDir);
    for (const name of ["hearth.db", "provider.db", "requests.db", "uploads", "models", "engine-test"])
      expect(names).toContain(name);
    expect([modeOf(dataDir), openToOthers(dataDir)]).toEqual(["700", []]);
  });

  it("is closed to others where its owner has made it; one with other files, and the target of a link, stay unchanged", () => {
    using folder = temporaryFolder();
    makeOpen(folder.path, ["made/", "used/hearth.db", "project/index.html", "project/hearth.db", "elsewhere/"]);
    for (const name of ["used", "project"]) chmodSync(join(folder.path, name), 0o755);
    symlinkSync(join(folder.path, "elsewhere"), join(folder.path, "link"));
    for (const name of ["made", "used", "project", "link"]) prepareDataDir({ data_dir: join(folder.path, name) });
    const modes = ["made", "used", "project", "elsewhere"].map((name) => modeOf(join(folder.path, name)));
    expect(modes).toEqual(["700", "700", "755", "755"]);
  });
});

describe.skipIf(process.platform === "win32")("files that a user has named", () => {
  it("keep the user's umask: the command of hearth exec, and what it writes", async () => {
    using folder = temporaryFolder();
    const script = `umask 022; exec "$0" "$1" exec -- sh -c 'umask > "$0"; mkdir "$0".d' "${join(folder.path, "seen")}"`;
    await using hearth = launchHearth({ command: ["sh", "-c", script, process.execPath, builtCommand] });
    expect(await hearth.exited).toBe(0);
    expect(readFileSync(join(folder.path, "seen"), "utf8").trim()).toBe("0022");
    expect([modeOf(join(folder.path, "seen")), modeOf(join(folder.path, "seen.d"))]).toEqual(["644", "755"]);
  });

  it("keep the user's umask in an Ollama store that models are put into", async () => {
    using folder = temporaryFolder();
    const store = join(folder.path, "store");
    const before = process.umask(0o022);
    try {
      await using model = await startModelProcess(join(folder.path, "data"), {
        HEARTH_MODELS_DIR: store,
        HEARTH_MODELS_DIR_WRITABLE: "1",
      });
      const layer = "y".repeat(10);
      const digest = createHash("sha256").update(layer).digest("hex");
      const put = await fetch(`${model.url}/api/blobs/sha256:${digest}`, { method: "POST", body: layer });
      expect([put.status, modeOf(join(store, "blobs", `sha256-${digest}`))]).toEqual([201, "644"]);
    } finally {
      process.umask(before);
    }
  });
});

describe.skipIf(process.platform === "win32")("the runner's socket", () => {
  it("lies in the user's own folder for such files, where that is private", () => {
    using folder = temporaryFolder();
    const runtime = join(folder.path, "runtime");
    mkdirSync(runtime, { mode: 0o700 });
    const socket = createRunnerSocket(folder.path, { XDG_RUNTIME_DIR: runtime });
    expect(dirname(dirname(socket.path))).toBe(runtime);
    expect(modeOf(dirname(socket.path))).toBe("700");
    socket.remove();
    chmodSync(runtime, 0o755);
    for (const unfit of [runtime, join(folder.path, "none"), "relative", "x".repeat(200)]) {
      const elsewhere = createRunnerSocket(folder.path, { XDG_RUNTIME_DIR: unfit });
      expect(dirname(dirname(elsewhere.path))).not.toBe(unfit);
      elsewhere.remove();
    }
  });

  it("is not created where another user has taken the name of its folder", () => {
    using folder = temporaryFolder();
    const theirs = mkdtempSync(join(folder.path, "theirs-"));
    writeFileSync(join(theirs, "runner.sock"), "x");
    const runtime = join(folder.path, "runtime");
    mkdirSync(runtime, { mode: 0o700 });
    const env = { XDG_RUNTIME_DIR: runtime };
    const socket = createRunnerSocket(folder.path, env);
    const own = dirname(socket.path);
    rmSync(own, { recursive: true });
    symlinkSync(theirs, own);
    expect(() => socket.ensureFolder()).toThrow(/belongs to another program/);
    socket.remove();
    removeLeftRunnerSocket(folder.path, env);
    expect(existsSync(join(theirs, "runner.sock"))).toBe(true);
    const next = createRunnerSocket(folder.path, env);
    expect(dirname(next.path)).not.toBe(own);
    next.remove();
  });

  it("keeps its folder while the supervisor starts the runner again", async () => {
    await using hearth = launchHearth();
    await hearth.ready();
    const [folder = ""] = hearth.leftovers();
    const path = join(dirname(hearth.readyFile), "tmp", folder);
    const { ino } = statSync(path);
    const { app, console: address } = await hearth.ready();
    const authorization = `Bearer ${new URL(address).searchParams.get("token") ?? ""}`;
    await fetch(`${app}/console/api/services/runner/restarts`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: "{}",
    });
    await expect.poll(async () => (await hearth.statuses()).runner).toMatchObject({ state: "up", restarts: 1 });
    expect(statSync(path).ino).toBe(ino);
  });
});
