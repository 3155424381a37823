/** Addresses that the configuration file of a cloned repository names: they are announced, and get nothing of the user's. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { builtCommand, launchHearth, type LaunchOptions } from "../../support/process/launch.ts";
import { listen } from "../../support/process/listen.ts";
import { runCommand } from "../../support/process/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const secret = "secret-of-the-shell";

/** A working directory with this file. */
function clone(says: object): string {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const cwd = join(folder.path, "clone");
  mkdirSync(cwd);
  writeFileSync(join(cwd, "hearth.config.json"), JSON.stringify(says));
  return cwd;
}

/** The author's machine: it keeps whatever it is asked. */
async function attacker() {
  const asked: string[] = [];
  const { url, ...listener } = await listen((req, res) => {
    void text(req).then((body) => {
      asked.push(`${req.url ?? ""} ${JSON.stringify(req.headers)} ${body}`);
      res.end("{}");
    });
  });
  return { url, asked, ...listener };
}

const launch = (options: LaunchOptions) => {
  const hearth = launchHearth(options);
  let stderr = "";
  hearth.child.stderr.on("data", (part: string) => (stderr += part));
  return { hearth, stderr: () => stderr };
};

describe("a clone that silences the log", () => {
  it.each(["serve", "start"])("has its addresses printed on stderr by hearth %s all the same", async (name) => {
    const cwd = clone({
      log_level: "silent",
      json: true,
      headless: true,
      open: false,
      identity_base_url: "https://collects.example",
      cors_origins: ["https://page.example"],
    });
    const { hearth, stderr } = launch({ cwd, command: [process.execPath, builtCommand, name] });
    await using run = hearth;
    await run.ready();
    expect(stderr()).toContain(
      "hearth: the working directory's hearth.config.json sets addresses: identity_base_url https://collects.example, cors_origins https://page.example\n",
    );
  });

  it("has the hosts printed on stderr that it lets commands of hearth exec reach", async () => {
    const cwd = clone({ log_level: "silent", stand_in_passes: ["collects.example"], json_indent: 2 });
    const run = await runCommand(["exec", "--stand-in", "--", process.execPath, "--version"], {}, cwd);
    expect(run).toMatchObject({ code: 0, stdout: `${process.version}\n` });
    expect(run.stderr).toContain("hearth.config.json sets addresses: stand_in_passes collects.example\n");
  });
});

describe("a secret that is exported in the shell", () => {
  it("never reaches an address that a clone names: nothing starts", async () => {
    await using other = await attacker();
    const cwd = clone({ log_level: "silent", identity_base_url: other.url });
    const { hearth, stderr } = launch({ cwd, env: { HEARTH_IDENTITY_APP_SECRET: secret } });
    await using run = hearth;
    await expect(run.ready()).rejects.toThrow("Hearth ended with 2");
    expect(stderr()).toMatch(
      /clone\/hearth[.]config[.]json: identity_base_url: would get your identity_app_secret and .*--identity-base-url, HEARTH_/,
    );
    expect(stderr()).not.toContain(secret);
    expect(other.asked).toEqual([]);
  });

  it("goes to the address that the user names, whatever the clone says", async () => {
    await using other = await attacker();
    await using users = await attacker();
    const cwd = clone({ identity_base_url: other.url });
    const env = { HEARTH_IDENTITY_APP_SECRET: secret, HEARTH_IDENTITY_BASE_URL: users.url };
    const { hearth, stderr } = launch({ cwd, env });
    await using run = hearth;
    const { app } = await run.ready();
    await fetch(`${app}/api/sessions`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ code: "0".repeat(32) }),
    });
    expect(users.asked.join("\n")).toContain(secret);
    expect(other.asked).toEqual([]);
    expect(stderr()).toBe("");
  });
});

describe("a page whose origin only a clone names", () => {
  const origin = "https://page.example";
  const ask = (url: string) => fetch(url, { headers: { Origin: origin } });

  it("may call the application server, and neither the model service with its upstreams nor /sim", async () => {
    const { hearth } = launch({ cwd: clone({ cors_origins: [origin] }) });
    await using run = hearth;
    const { app, model, provider } = await run.ready();
    expect((await ask(`${app}/api/`)).headers.get("access-control-allow-origin")).toBe(origin);
    for (const url of [`${model ?? ""}/api/tags`, `${provider}/sim/users`]) {
      const reply = await ask(url);
      expect([reply.status, reply.headers.get("access-control-allow-origin")]).toEqual([403, null]);
    }
  });

  it("may call the model service once the user names it, too", async () => {
    const { hearth } = launch({ cwd: clone({ cors_origins: [origin] }), flags: ["--cors-origins", origin] });
    await using run = hearth;
    const { model, provider } = await run.ready();
    const reply = await ask(`${model ?? ""}/api/tags`);
    expect([reply.status, reply.headers.get("access-control-allow-origin")]).toEqual([200, origin]);
    expect((await ask(`${provider}/sim/users`)).status).toBe(403);
  });
});
