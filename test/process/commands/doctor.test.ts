/** `hearth doctor` over data that is sound, and over data that is not; it finds all of it, and changes none of it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { forkApp } from "../../support/process/forked-app.ts";
import { zipBytes } from "../../support/files.ts";
import { builtCommand, launchHearth, plainEnvironment } from "../../support/process/launch.ts";
import { listen } from "../../support/process/listen.ts";
import { digestOf, layers } from "../../support/model/model-registry.ts";
import { engineFiles, otherFiles, unrunnableFiles } from "../../support/model/odd-gguf.ts";
import { randomGgufBytes } from "../../support/model/random-gguf.ts";
import { runCommand } from "../../support/process/run-command.ts";
import { hasSmallDisks, withSmallDisk } from "../../support/process/small-disk.ts";
import { putModel } from "../../support/model/stored-model.ts";
import { startS3Server } from "../../support/store/s3-server.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { Sqlite } from "../../../server/store/native-sqlite.ts";

interface Finding {
  check: string;
  state: "ok" | "warning" | "problem";
  text: string;
}
interface Report {
  checks: Finding[];
  ok: number;
  warnings: number;
  problems: number;
}

let data: ReturnType<typeof temporaryFolder>;
const at = (...names: string[]) => join(data.path, ...names);
const contents = ["kept", "lost", "damaged"].map((text) => zipBytes({ "a.txt": text.repeat(10) }));
const contentFile = (index: number) => {
  const sha256 = digestOf(Buffer.from(contents[index] ?? [])).slice("sha256:".length);
  return at("uploads", sha256.slice(0, 2), sha256);
};

/** Uploads, a model, and the journals that a killed run leaves. */
beforeAll(async () => {
  data = temporaryFolder();
  const app = await forkApp(data.path);
  for (const bytes of contents) expect((await app.upload("a.zip", new Uint8Array(bytes))).status).toBe(201);
  await app.kill();
  putModel(at("models"), "registry.ollama.ai/library/whole/latest", [layers.model(randomGgufBytes({ name: "Whole" }))]);
});
afterAll(() => data[Symbol.dispose]());

const freePorts = ["--app-port", "0", "--provider-port", "0", "--model-port", "0"];
const inData = (...flags: string[]) => ["doctor", "--data-dir", data.path, ...freePorts, ...flags];

async function report(args: readonly string[], env?: Readonly<Record<string, string>>) {
  const { code, stdout, stderr } = await runCommand([...args, "--json"], env);
  expect(stderr).toBe("");
  const said = JSON.parse(stdout) as Report;
  const of = (check: string) =>
    said.checks.filter((one) => one.check === check).map(({ state, text }) => `${state}: ${text}`);
  const problems = said.checks.filter(({ state }) => state === "problem").map(({ check }) => check);
  return { code, said, of, problems, stdout };
}

/** All that there is in a folder: names, modes, when it was written and what is in files. */
const everything = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => {
      const { mode, mtimeMs } = lstatSync(join(folder, name));
      const isFile = statSync(join(folder, name)).isFile();
      const bytes = isFile ? digestOf(readFileSync(join(folder, name))) : "";
      return [name, `${mode.toString(8)} ${String(mtimeMs)} ${bytes}`];
    }),
  );

describe("hearth doctor", () => {
  it("finds nothing wrong with what a killed run has left, and changes nothing of it", async () => {
    expect(statSync(at("hearth.db-wal")).size).toBeGreaterThan(0);
    const before = everything(data.path);
    const { code, of, problems } = await report(inData());
    expect([problems, code]).toEqual([[], 0]);
    expect([of("uploads"), of("models")]).toEqual([["ok: 3 files found"], ["ok: 1 pulled or created, all complete"]]);
    for (const name of ["hearth.db", "provider.db", "requests.db"])
      expect(of(name)).toEqual([expect.stringMatching(/^ok: .* intact$/)]);
    expect(everything(data.path)).toEqual(before);
  });

  it("warns of a variable that no Hearth knows", async () => {
    const { code, of } = await report(inData("--quick"), { HEARTH_APP_PROT: "3090" });
    expect([code, of("settings")]).toEqual([
      0,
      [
        "ok: flags, variables and files are valid",
        "warning: unknown variable HEARTH_APP_PROT has no effect; did you mean HEARTH_APP_PORT?",
      ],
    ]);
  });

  it("prints a line for each check, and the sum; makes no data directory", async () => {
    const { code, stdout } = await runCommand(["doctor", "--data-dir", at("none"), ...freePorts]);
    expect(stdout).toMatch(/^ok +data directory +.*\/none does not exist yet: the first start creates it$/m);
    expect(stdout).toMatch(/\n\d+ ok, \d+ warnings, 0 problems\n$/);
    expect([code, readdirSync(data.path).includes("none")]).toEqual([0, false]);
  });

  it("says what a bucket of the uploads lacks, or why nobody can look, and tells no secret", async () => {
    await using store = await startS3Server();
    for (const index of [1, 2]) await store.put(relative(at("uploads"), contentFile(index)), contents[index] ?? "");
    const env = Object.fromEntries(
      Object.entries(store.settings).map(([name, value]) => [`HEARTH_${name.toUpperCase()}`, value]),
    );
    const before = everything(data.path);
    const found = await report(inData("--quick"), env);
    expect(found.of("uploads")).toEqual([
      expect.stringMatching(/^problem: 1 files are missing in s3:\/\/uploads-of-tests\/of\/hearth \(.*content_lost$/),
    ]);
    await store.down();
    const unseen = await report(inData("--quick"), env);
    expect(unseen.of("uploads")).toEqual([expect.stringMatching(/^problem: cannot be read: .*does not respond/)]);
    for (const { stdout } of [found, unseen]) expect(stdout).not.toContain(store.settings.uploads_secret_key);
    expect(everything(data.path)).toEqual(before);
  });

  /** The environment in which the process that loads sharp does this first. */
  function beforeSharp(statement: string): { NODE_OPTIONS: string } & Disposable {
    const hook = at("..", `hook-${String(process.pid)}.cjs`);
    const load = `(...call) => { if (/sharp/.test(call[1])) ${statement} return dlopen.apply(process, call); }`;
    writeFileSync(hook, `const { dlopen } = process; process.dlopen = ${load};`);
    return { NODE_OPTIONS: `--require ${hook}`, [Symbol.dispose]: () => rmSync(hook) };
  }

  it("reports a native module whose process crashes, and goes on", async () => {
    using env = beforeSharp('process.kill(process.pid, "SIGSEGV");');
    const { code, of, problems } = await report(inData("--quick"), { NODE_OPTIONS: env.NODE_OPTIONS });
    expect([code, problems]).toEqual([1, ["sharp"]]);
    expect(of("sharp")[0]).toMatch(/^problem: cannot be loaded: its process was stopped by SIGSEGV; .*npm ci$/);
  });

  it.skipIf(process.platform === "win32")("is broken off by Ctrl-C with 130", async () => {
    using env = beforeSharp("Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);");
    const child = spawn(process.execPath, [builtCommand, ...inData()], {
      env: { ...plainEnvironment(), NODE_OPTIONS: env.NODE_OPTIONS },
      stdio: ["ignore", "pipe", "inherit"],
    });
    child.stdout.once("data", () => child.kill("SIGINT"));
    expect(await once(child, "close")).toEqual([130, null]);
  });

  it("refuses what it does not know with 2", async () => {
    expect(await runCommand(["doctor", "--quik"])).toMatchObject({
      code: 2,
      stderr: "hearth: unknown flag --quik (did you mean --quick?); --help lists them\n",
    });
    expect(await runCommand(["doctor", "now"])).toMatchObject({ code: 2 });
  });

  it("looks at a Hearth that runs, which goes on", async () => {
    await using hearth = launchHearth({ dataDir: data.path });
    const { app, pid } = await hearth.ready();
    const { code, of, problems } = await report(inData());
    expect([problems, code]).toEqual([[], 0]);
    expect(of("running")[0]).toContain(`ok: Hearth runs here (pid ${String(pid)})`);
    expect(of("app_port")).toEqual([`ok: used by this Hearth: ${app}`]);
    expect(of("hearth.db")[0]).toMatch(/^ok: .* intact$/);
    expect(Object.values(await hearth.statuses()).map(({ state, restarts }) => [state, restarts])).toEqual(
      Array(3).fill(["up", 0]),
    );
  });

  it.runIf(hasSmallDisks)("reports a disk without room", async () => {
    const [program, ...args] = withSmallDisk(at("uploads"), { kilobytes: 1_000 }, [
      process.execPath,
      builtCommand,
      "doctor",
    ]);
    const child = spawn(program, [...args, "--data-dir", at("uploads"), ...freePorts], { env: plainEnvironment() });
    let output = "";
    child.stdout.on("data", (text) => (output += String(text)));
    expect(await once(child, "close")).toEqual([1, null]);
    expect(output).toMatch(
      /^problem +disk +the disk of the data directory .* is full: 1\.0 MB are free, and a start needs/m,
    );
  });

  it("finds each problem, says what to do, and prints no secret", async () => {
    await using taken = await listen((_req, res) => void res.end("mine"));
    rmSync(contentFile(1));
    writeFileSync(contentFile(2), Buffer.alloc(statSync(contentFile(2)).size, 7));
    const stray = digestOf(Buffer.from("stray")).slice("sha256:".length);
    mkdirSync(at("uploads", stray.slice(0, 2)), { recursive: true });
    writeFileSync(at("uploads", stray.slice(0, 2), stray), "stray");
    for (const end of ["", "-wal", "-shm"]) rmSync(at(`requests.db${end}`), { force: true });
    writeFileSync(at("requests.db"), "not a database ".repeat(1_000));
    const provider = new Sqlite(at("provider.db"));
    provider.exec("insert into kysely_migration values ('9999_later', '2030-01-01')");
    provider.close();
    const { layers: spoilt } = putModel(at("models"), "registry.ollama.ai/library/spoilt/latest", [
      layers.model(randomGgufBytes({ name: "Spoilt" })),
      layers.system("gone"),
      layers.license("cut"),
    ]);
    const [weights = "", system = "", license = ""] = spoilt.map(({ digest }) =>
      at("models", "blobs", digest.replace(":", "-")),
    );
    writeFileSync(weights, Buffer.alloc(statSync(weights).size, 7));
    rmSync(system);
    truncateSync(license, 1);
    writeFileSync(at("models", "plain.gguf"), "no model");
    for (const [name, bytes] of [...unrunnableFiles, ...engineFiles, ...otherFiles])
      if (["epsilon-nan", "tensor-missing", "mmproj-x"].includes(name))
        writeFileSync(at("models", `${name}.gguf`), bytes);
    writeFileSync(at("models", "sound.gguf"), randomGgufBytes());
    writeFileSync(at("hearth.config.json"), '{ "payment_api_v3_key": secret-of-the-user }', { mode: 0o600 });
    mkdirSync(at("backups", "restore-begun"), { recursive: true });
    chmodSync(data.path, 0o755);
    const before = everything(data.path);

    const flags = ["doctor", "--data-dir", data.path, "--app-port", String(taken.port)];
    const { code, of, stdout } = await report([...flags, ...freePorts.slice(2)]);
    expect(code).toBe(1);
    expect(of("settings")[0]).toMatch(/^problem: .*hearth\.config\.json: .*it is not valid JSON: Unexpected token/);
    expect(stdout).not.toContain("secret");
    if (process.platform !== "win32") expect(of("data directory")[0]).toMatch(/^warning: .*chmod 700/);
    expect(of("restore")[0]).toMatch(/^warning: .* was interrupted, .*: start Hearth to complete it$/);
    expect(of("app_port")[0]).toMatch(
      new RegExp(`^problem: ${String(taken.port)} is used by another program.*--app-port$`),
    );
    expect(of("provider.db")[0]).toMatch(
      /^problem: a newer Hearth created .*provider\.db \(unknown migration 9999_later/,
    );
    expect(of("requests.db")[0]).toMatch(/^problem: .*requests\.db is damaged \(file is not a database\)/);
    expect(of("uploads")).toEqual([
      expect.stringMatching(/^problem: 1 files are missing in .*content_lost$/),
      `problem: 1 files are damaged: upload them again, or put copies back (${contentFile(2)})`,
      expect.stringMatching(/^warning: 1 files belong to no upload: the next start moves them to .*orphans/),
    ]);
    expect(of("models")).toEqual([
      `problem: the model spoilt:latest has ${weights} whose content does not match its digest: pull or create it again`,
      `problem: the model spoilt:latest lacks ${system}: pull or create it again`,
      `problem: the model spoilt:latest has ${license} with 1 bytes instead of 3: pull or create it again`,
      expect.stringMatching(/^problem: .*epsilon-nan\.gguf cannot be run: llama\.attention\..* is NaN, /),
      expect.stringMatching(/^ok: .*mmproj-x\.gguf is not served: it is an image encoder/),
      expect.stringMatching(/^problem: .*plain\.gguf is not served: /),
      expect.stringMatching(/^problem: .*tensor-missing\.gguf cannot be run: missing tensor 'output_norm\.weight'$/),
    ]);
    expect(everything(data.path)).toEqual(before);
    const quick = await report([...flags, ...freePorts.slice(2), "--quick"]);
    expect(quick.of("uploads").join()).not.toContain("damaged");
    expect(quick.of("models").join()).not.toContain("other bytes");
  });
});
