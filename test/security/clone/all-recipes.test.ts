/**
 * A clone with everything that is known against its reader at once. The commands that a user would try in it run nothing of
 * it, read and write nothing outside, send no secret, and say what it wanted.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { gitIn, hasGit } from "../../support/real-git.ts";
import { builtCommand, launchHearth } from "../../support/process/launch.ts";
import { listen } from "../../support/process/listen.ts";
import { runCommand } from "../../support/process/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const outsideText = "text-of-a-file-outside";
const secrets = {
  HEARTH_CONSOLE_TOKEN: "console-token-of-the-shell-0123456789",
  HEARTH_IDENTITY_APP_SECRET: "app-secret-of-the-shell",
  AWS_SECRET_ACCESS_KEY: "cloud-key-of-the-shell",
};
/** Programs that Hearth starts, or that a system would start in its place. */
const programs = [
  "git",
  "node",
  "npm",
  "ps",
  "sh",
  "xdg-open",
  "open",
  "gdbus",
  "electron",
  "rundll32.exe",
  "taskkill.exe",
];

/** The author's page. */
const author = "https://collects.example";
/** What the author's file sets that a reader must not get. */
const wishes = {
  log_level: "silent",
  json: true,
  headless: true,
  open: false,
  cors_origins: [author],
  models_dir: "models",
  collections_dir: "collections",
  routes_file: "routes.json",
};

async function world() {
  await using made = new AsyncDisposableStack();
  const folder = made.use(temporaryFolder());
  const at = (...parts: string[]) => join(folder.path, ...parts);
  const [cwd, home, outside, marker] = [at("clone"), at("home"), at("outside"), at("marker")];
  for (const path of [cwd, home, outside, join(cwd, "collections"), join(cwd, "models")]) mkdirSync(path);
  writeFileSync(join(outside, "secret.json"), JSON.stringify({ title: outsideText, type: "object" }));
  const asked: string[] = [];
  const attacker = made.use(
    await listen((req, res) => {
      void text(req).then((body) => {
        asked.push(`${req.url ?? ""} ${JSON.stringify(req.headers)} ${body}`);
        res.end("{}");
      });
    }),
  );

  for (const name of programs) {
    writeFileSync(join(cwd, name), `#!/bin/sh\ntouch '${marker}'\n`);
    chmodSync(join(cwd, name), 0o755);
  }
  symlinkSync(join(outside, "secret.json"), join(cwd, "collections", "secrets.json"));
  symlinkSync("/proc/self/environ", join(cwd, "collections", "environs.json"));
  symlinkSync(outside, join(cwd, "models", "manifests"));
  symlinkSync(outside, join(cwd, ".hearth"));
  symlinkSync(join(outside, "AGENTS.md"), join(cwd, "AGENTS.md"));
  writeFileSync(join(cwd, "routes.json"), JSON.stringify({ routes: [{ path: "/evil", body: "evil" }] }));
  if (hasGit) {
    const git = gitIn(cwd);
    git(["init"]);
    for (const [name, value] of [
      ["core.fsmonitor", `touch '${marker}'`],
      ["core.hooksPath", cwd],
      ["remote.origin.uploadpack", `touch '${marker}'; false`],
    ] as const)
      git(["config", name, value]);
  }
  const env = { ...secrets, HOME: home, XDG_DATA_HOME: home, TMPDIR: home, PATH: `:.:${process.env["PATH"] ?? ""}` };
  const world = made.move();
  return {
    cwd,
    outside,
    home,
    env,
    attacker: attacker.url,
    configure: (says: object) => writeFileSync(join(cwd, "hearth.config.json"), JSON.stringify(says)),
    hearth: (...args: string[]) => runCommand(args, env, cwd),
    /** All that must not have happened. */
    expectUnharmed(...printed: string[]) {
      expect(readdirSync(join(marker, ".."))).not.toContain("marker");
      expect(readdirSync(outside)).toEqual(["secret.json"]);
      const all = [...printed, ...asked].join("\n");
      for (const secret of [outsideText, ...Object.values(secrets)]) expect(all).not.toContain(secret);
    },
    [Symbol.asyncDispose]: () => world.disposeAsync(),
  };
}

const ports = ["--app-port", "0", "--provider-port", "0", "--model-port", "0"];

it("the commands in a hostile clone run, read, write and send nothing of the reader's, and say what the clone wanted", async () => {
  await using clone = await world();
  clone.configure(wishes);
  const printed: string[] = [];
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await clone.hearth(...args);
    printed.push(stdout, stderr);
    return { code, text: stdout + stderr };
  };
  const ran = await run("exec", "--", process.execPath, "-e", "console.log('ran')");
  expect(ran).toEqual({ code: 0, text: "ran\n" });
  expect((await run("doctor", "--quick", ...ports)).text).toContain(`cors_origins ${author}`);
  await run("devices");
  await run("open", "--print");
  const { code, text: initialized } = await run("init");
  expect(code).toBe(0);
  expect(initialized).toContain("skipped .hearth/.gitignore: a link leads out of the folder");
  clone.expectUnharmed(...printed);
});

it("a start in a hostile clone serves what lies in it, names what leads out, and keeps the reader's secrets", async () => {
  await using clone = await world();
  clone.configure(wishes);
  await using hearth = launchHearth({
    command: [process.execPath, builtCommand, "start"],
    cwd: clone.cwd,
    env: clone.env,
  });
  const { app, provider, model } = await hearth.ready();
  const headers = { Origin: author };
  const read = async (url: string) => {
    const reply = await fetch(url, { headers });
    return `${reply.headers.get("access-control-allow-origin") ?? ""} ${await reply.text()}`;
  };
  const pages = [`${app}/evil`, `${app}/api/secrets`, `${app}/api/environs`, `${app}/swagger/docs/v1`];
  const answers = await Promise.all([...pages, `${provider}/sim/users`, `${model ?? ""}/api/tags`].map(read));
  expect(answers.slice(-2).join("")).not.toContain(author);
  hearth.child.kill("SIGTERM");
  await hearth.exited;
  expect(hearth.output()).toContain(`cors_origins ${author}`);
  clone.expectUnharmed(hearth.output(), ...answers);
});

it("a clone that wants the secret of the shell at its own address is refused by every command that reads its file, which names both", async () => {
  await using clone = await world();
  clone.configure({ ...wishes, identity_base_url: clone.attacker });
  for (const args of [["start", ...ports], ["serve", ...ports], ["devices"], ["open", "--print"]]) {
    const { code, stdout, stderr } = await clone.hearth(...args);
    expect([code, stderr], args[0]).toEqual([
      2,
      expect.stringMatching(/hearth\.config\.json: identity_base_url: .*identity_app_secret/),
    ]);
    clone.expectUnharmed(stdout, stderr);
  }
  const doctor = await clone.hearth("doctor", "--quick", ...ports);
  expect(doctor).toMatchObject({ code: 1, stdout: expect.stringContaining("identity_base_url") });
  clone.expectUnharmed(doctor.stdout, doctor.stderr);
});

it("hearth types writes through no link of a clone, and waits for no pipe", async () => {
  await using clone = await world();
  clone.configure({});
  symlinkSync(join(clone.outside, "secret.json"), join(clone.cwd, "client.js"));
  expect(await clone.hearth("types", "--out", "client.js")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("client.js is not a plain file"),
  });
  execFileSync("mkfifo", [join(clone.cwd, "piped.js")]);
  expect(await clone.hearth("types", "--out", "piped.js", "--check")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("piped.js is not a plain file"),
  });
  expect(readFileSync(join(clone.outside, "secret.json"), "utf8")).toContain(outsideText);
});
