import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { siteOf } from "../../support/process/console-access.ts";
import { builtCommand, launchHearth, plainEnvironment } from "../../support/process/launch.ts";
import { isRunning, sendSignal, untilUnused } from "../../support/process/processes.ts";
import { runCommand } from "../../support/process/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** Runs `hearth ARGS` in a temporary folder of its own. */
const hearth = (args: readonly string[], temporary: string) => runCommand(args, { TMPDIR: temporary });

/** A client's test suite: logged in, it writes and reads an article, and asks every service. */
const clientSuite = `
  const { HEARTH_APP_URL: app, HEARTH_PROVIDER_URL: provider, HEARTH_MODEL_URL: model, HEARTH_TOKEN: token } = process.env;
  const headers = { authorization: "Bearer " + token, "content-type": "application/json" };
  const created = await fetch(app + "/api/articles", { method: "POST", headers, body: JSON.stringify({ title: "from a test" }) });
  const { data } = await (await fetch(app + created.headers.get("location"), { headers })).json();
  const { version } = await (await fetch(model + "/api/version")).json();
  const { status } = await (await fetch(provider + "/healthz")).json();
  console.log(JSON.stringify({ title: data.title, version: typeof version, status }));
  process.exit(7);
`;

describe("hearth exec", () => {
  it("runs a command against a Hearth of its own, passes its exit code on, says which routes were called, and leaves nothing behind", async () => {
    using folder = temporaryFolder();
    const { code, stdout, stderr } = await hearth(
      ["exec", "--coverage", "--", process.execPath, "--input-type=module", "-e", clientSuite],
      folder.path,
    );
    expect(JSON.parse(stdout)).toEqual({ title: "from a test", version: "string", status: "ok" });
    expect(code).toBe(7);
    expect(stderr).toMatch(/^POST +[/]api[/]articles +201$/m);
    expect(stderr).toMatch(/^GET +[/]api[/]articles[/]\{id\} +200$/m);
    // The login of the token that the command gets is not the command's.
    expect(stderr).toMatch(/^POST +[/]api[/]sessions +never called$/m);
    expect(stderr).toMatch(/^2 of \d+ routes called \(\d+ %\)$/m);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it.skipIf(process.platform === "win32")(
    "prints its own warnings on stderr: stdout is the command's alone",
    async () => {
      using folder = temporaryFolder();
      const limited = ["-c", 'ulimit -n 1024; exec "$0" "$@"', process.execPath, builtCommand];
      const env = { ...plainEnvironment(), TMPDIR: folder.path };
      const ended = await promisify(execFile)("sh", [...limited, "exec", "--", "echo", '{"a":1}'], { env });
      expect(ended).toEqual({
        stdout: '{"a":1}\n',
        stderr: expect.stringContaining("limit of 1024 open files is too low"),
      });
    },
  );

  it("names a folder that is not there, and an unknown flag, with 2", async () => {
    using folder = temporaryFolder();
    expect(await hearth(["exec", "--import", "/no/such", "--", "true"], folder.path)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("/no/such"),
    });
    const file = join(folder.path, "file");
    writeFileSync(file, "");
    for (const flag of ["--import", "--export-on-exit"])
      expect(
        await hearth(["exec", flag, flag === "--import" ? file : join(file, "x"), "--", "true"], folder.path),
      ).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`${flag}: `),
      });
    expect(await hearth(["exec", "--import", "", "--", "true"], folder.path)).toMatchObject({
      code: 2,
      stderr: "hearth: flag --import needs a value\n",
    });
    expect(await hearth(["exec", "--nope", "--", "true"], folder.path)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--nope"),
    });
  });

  it("says that a command does not exist, with 127, and that one is missing, with 2", async () => {
    using folder = temporaryFolder();
    expect(await hearth(["exec", "--", "no-such-command"], folder.path)).toMatchObject({
      code: 127,
      stderr: expect.stringContaining("no-such-command"),
    });
    expect(await hearth(["exec"], folder.path)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("needs a command"),
    });
    expect(readdirSync(folder.path)).toEqual([]);
  });
});

it.each([
  ["exec", "--", process.execPath, "-e", "console.log('begun'); setInterval(() => undefined, 1000)"],
  ["types"],
])("hearth %s ends with 130 when it is cancelled, so that nobody takes it for done", async (...args) => {
  using folder = temporaryFolder();
  const env = { ...plainEnvironment(), TMPDIR: folder.path };
  const child = spawn(process.execPath, [builtCommand, ...args], {
    cwd: folder.path,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  if (args[0] === "exec") await once(child.stdout, "data");
  else await expect.poll(() => readdirSync(folder.path)).not.toEqual([]);
  child.kill("SIGTERM");
  expect(await exited).toEqual([130, null]);
  await untilUnused(folder.path);
});

/** Starts `hearth exec` with a script in a temporary folder. */
function execBegun(script: string, temporary: string) {
  const child = spawn(process.execPath, [builtCommand, "exec", "--", process.execPath, "-e", script], {
    cwd: temporary,
    env: { ...plainEnvironment(), TMPDIR: temporary },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.on("data", (text: Buffer) => (printed += text.toString()));
  return { child, exited: once(child, "exit"), output: () => printed };
}

/** Asks Hearth once more before it ends. */
const asksBeforeItEnds = `process.on("SIGTERM", async () => {
  const { status } = await fetch(process.env.HEARTH_APP_URL + "/healthz");
  console.log("ended at", status);
  process.exit(5);
});
setInterval(() => undefined, 1000);
console.log("begun");`;

it.each([
  ["is asked to stop", ["SIGTERM"]],
  // Stopped meanwhile, it gets both at the same moment.
  ["gets one Ctrl-C twice, by the terminal and by what started it,", ["SIGSTOP", "SIGINT", "SIGTERM", "SIGCONT"]],
] as const)(
  "hearth exec that %s waits for its command, which finds Hearth until it ends, and has its exit code",
  async (_what, signals) => {
    using folder = temporaryFolder();
    const { child, exited, output } = execBegun(asksBeforeItEnds, folder.path);
    await expect.poll(output).toBe("begun\n");
    for (const signal of signals) sendSignal(child.pid, signal);
    expect(await exited).toEqual([5, null]);
    expect(output()).toBe("begun\nended at 200\n");
    await untilUnused(folder.path);
  },
);

it("hearth exec that is asked to stop a second time ends a command that does not", async () => {
  using folder = temporaryFolder();
  const command = `process.on("SIGTERM", () => console.log(process.pid));
  setInterval(() => undefined, 1000);
  console.log("begun");`;
  const { child, exited, output } = execBegun(command, folder.path);
  await expect.poll(output).toBe("begun\n");
  child.kill("SIGTERM");
  await expect.poll(output).toMatch(/^begun\n\d+\n/);
  const [, pid] = output().split("\n").map(Number);
  // One that comes right after the first may be the same.
  await expect.poll(() => isRunning(pid ?? 0) && child.kill("SIGTERM")).toBe(false);
  expect(await exited).toEqual([130, null]);
  await untilUnused(folder.path);
});

describe("hearth login", () => {
  it("prints a session token of a user who has passed every step at the running Hearth", async () => {
    using folder = temporaryFolder();
    await using launched = launchHearth({ dataDir: folder.path });
    const { app } = await launched.ready();
    const { code, stdout } = await hearth(["login", "dora", "--data-dir", folder.path], folder.path);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^[\w-]{43}\n$/)]);
    const response = await fetch(`${app}/api/articles`, { headers: { authorization: `Bearer ${stdout.trim()}` } });
    expect(response.status).toBe(200);
    const refused = await hearth(["login", "a b", "--data-dir", folder.path], folder.path);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/^hearth: user must match .+\n$/)]);
    expect(refused.stderr).not.toMatch(/\n *at /);
  });

  it("finds the only Hearth that runs where no data directory is named, and names them where several run", async () => {
    using folder = temporaryFolder();
    const env = { TMPDIR: folder.path, HOME: folder.path, XDG_DATA_HOME: folder.path };
    await using one = launchHearth({ env, dataDir: join(folder.path, "one") });
    await using other = launchHearth({ env, dataDir: join(folder.path, "other") });
    const [, { app, console: address }] = await Promise.all([one.ready(), other.ready()]);
    const { code, stderr } = await runCommand(["login", "ada"], env);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/several Hearths run.*--data-dir\n$/)]);
    for (const name of ["one", "other"]) expect(stderr).toContain(join(folder.path, name));
    one.child.kill("SIGKILL");
    await one.exited;
    const { stdout } = await runCommand(["login", "ada"], env);
    const response = await fetch(`${app}/api/articles`, { headers: { authorization: `Bearer ${stdout.trim()}` } });
    expect(response.status).toBe(200);
    expect((await runCommand(["open", "--print"], env)).stdout).toContain(`${siteOf(address)}/console/?code=`);
  });

  it("says that no Hearth runs on the data directory", async () => {
    using folder = temporaryFolder();
    expect(await hearth(["login", "ada", "--data-dir", folder.path], folder.path)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no Hearth uses"),
    });
  });
});
