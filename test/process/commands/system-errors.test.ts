/** What the system refuses a command is told in one line: a stack helps nobody who has named the wrong folder. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { builtCommand, launchHearth } from "../../support/process/launch.ts";
import { listen } from "../../support/process/listen.ts";
import { runCommand, runScript } from "../../support/process/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const oneLine = (reason: string) => expect.stringMatching(new RegExp(`^hearth: ${reason}.*\n$`)) as string;

it("a file where a folder is due, and a folder that is not there", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "file");
  writeFileSync(file, "");
  const refused = await Promise.all([
    runCommand(["init", file]),
    runCommand(["init", join(file, "below")]),
    runCommand(["exec", "--", "true"], { TMPDIR: join(folder.path, "none"), TEMP: join(folder.path, "none") }),
    runCommand(["types", "--out", join(file, "client.js")]),
  ]);
  expect(refused).toMatchObject([
    { code: 1, stderr: oneLine("EEXIST") },
    { code: 1, stderr: oneLine("E(EXIST|NOTDIR|NOENT)") },
    { code: 1, stderr: oneLine("ENOENT") },
    { code: 2, stderr: oneLine("--out: .*cannot be written: ") },
  ]);
  expect(readdirSync(folder.path)).toEqual(["file"]);
});

it("a damaged file, or one that is none of Hearth's", async () => {
  using folder = temporaryFolder();
  const [damaged, ready] = [join(folder.path, "keys.json"), join(folder.path, "ready.json")];
  writeFileSync(damaged, "{bad");
  writeFileSync(ready, "[]");
  const refused = await Promise.all([
    runCommand(["keys", "--data-dir", folder.path]),
    runCommand(["keys", "--data-dir", ready]),
    runCommand(["check-receiver", "--hearth", "--ready-file", ready]),
  ]);
  expect(refused).toMatchObject([
    { code: 1, stderr: oneLine(".*keys.json cannot be read: restore it") },
    { code: 1, stderr: oneLine(".*keys.json cannot be read [(]ENOTDIR[)]") },
    { code: 2, stderr: oneLine("--ready-file: .*ready.json cannot be read: a run writes") },
  ]);
});

it("a simulator that refuses the login of the user who is needed", async () => {
  await using simulator = await listen((_, res) => {
    const body = { code: "user_blocked", Message: "The user is blocked." };
    res.writeHead(403, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  });
  const env = { HEARTH_PROVIDER_URL: simulator.url, HEARTH_APP_URL: simulator.url };
  const { code, stderr } = await runCommand(["check-receiver", "--hearth"], env);
  expect([code, stderr]).toEqual([1, oneLine("The simulated login failed: .*login returned 403.*")]);
});

it("a model service that ends in the middle of its answer", async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "Modelfile"), "FROM other");
  await using broken = await listen((req, res) => {
    req.resume().once("end", () => res.write('{"status":"pulling"}\n{"sta', () => res.destroy()));
  });
  const commands = [["pull", "tiny"], ["create", "tiny"], ["list"], ["rm", "tiny"]];
  const refused = await Promise.all(
    commands.map((command) => runCommand(command, { OLLAMA_HOST: broken.url }, folder.path)),
  );
  const cut = `the model service at ${broken.url} stopped before its answer was complete`;
  expect(refused).toMatchObject([
    { code: 1, stdout: "pulling\n", stderr: `hearth: ${cut}; continue with "hearth pull tiny"\n` },
    ...[{ stdout: "pulling\n" }, {}, {}].map((more) => ({ code: 1, stderr: `hearth: ${cut}\n`, ...more })),
  ]);
});

it("a simulator that ends in the middle of a line", async () => {
  await using broken = await listen((req, res) => {
    req.resume().once("end", () => res.write('{"type":', () => res.destroy()));
  });
  const args = ["--notify-url", broken.url, "--provider-url", broken.url];
  const { code, stderr } = await runCommand(["check-receiver", ...args]);
  expect([code, stderr]).toEqual([1, `hearth: the simulator at ${broken.url} stopped during the check\n`]);
});

it("a run whose application server does not answer", async () => {
  await using hearth = launchHearth();
  await hearth.ready();
  const file = join(hearth.dataDir, "run.json");
  const run = JSON.parse(readFileSync(file, "utf8")) as { console: string };
  writeFileSync(file, JSON.stringify({ ...run, console: "http://127.0.0.1:9/console/?token=none" }));
  const { code, stderr } = await runCommand(["devices", "--data-dir", hearth.dataDir]);
  expect([code, stderr]).toEqual([1, oneLine("Hearth does not respond at http://127.0.0.1:9: ")]);
});

it.skipIf(process.platform === "win32").each(["serve", "exec -- true", "keys list", "init", "backup a"])(
  "a working directory that has been deleted: hearth %s",
  async (command) => {
    using folder = temporaryFolder();
    const script = join(folder.path, "in-deleted.mjs");
    writeFileSync(
      script,
      `import { mkdirSync, rmdirSync } from "node:fs";
      mkdirSync("gone");
      process.chdir("gone");
      rmdirSync("../gone");
      process.argv.splice(1, 1);
      await import(${JSON.stringify(builtCommand)});`,
    );
    const ended = await runScript(script, [builtCommand, ...command.split(" ")], {}, folder.path);
    expect(ended).toMatchObject({ code: 1, stderr: oneLine("ENOENT") });
  },
);
