/** The blocks that no test runs, each with its reason, and what can be checked of them without. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { marked, placeOf, root } from "./read-blocks.ts";

/** Why a block is not run. A new reason needs somebody's agreement: most blocks can be run. */
const reasons = [
  // What this machine has not, or must not do.
  "needs Docker",
  "needs systemd and the rights of root, and changes the machine",
  "needs the rights of root, and changes the machine",
  "needs a client of S3 that takes an endpoint from the environment, as Debian 12 has none; run by hand",
  "opens this machine to the network; test/http/devices-command.test.ts gives these commands",
  // What takes too long, or asks the network.
  "these are the checks that run this",
  "takes many minutes, and installs what is compared",
  "takes minutes; `npm test` runs each kind once",
  "takes minutes; test/process/package/program.test.ts builds and runs the same",
  "asks the registry of npm; test/docs/pages-of-package.test.ts starts Hearth with these packages",
  // What another test runs.
  "needs the reader's own project; test/process/kit/package.test.ts does it",
  "test/process/kit/package.test.ts runs it, from the package as npm packs it",
  "test/process/project/project-commands.test.ts compiles it, and runs such a file",
  "test/process/commands/check-integration.test.ts runs it with a backend of its own",
  "test/docs/pages.test.ts runs it with its own checkout as the address",
  "test/docs/shown-blocks.test.ts compares it with what is printed",
  "test/docs/shown-blocks.test.ts connects a client by it",
  "test/docs/shown-blocks.test.ts runs it with a `wx` of its own",
  "test/docs/vue-app.test.ts runs it in a browser",
  "test/docs/untried-blocks.test.ts gives it to nginx",
  "test/docs/untried-blocks.test.ts gives it to promtool",
];

const blocks = marked("not run");
const untried = blocks.filter(({ language }) => language === "sh");
const isThere = (command: string) => spawnSync("sh", ["-c", `command -v ${command}`]).status === 0;

it("each block that no test runs has one of the known reasons, and each reason has a block", () => {
  expect(new Set(blocks.map(({ mark }) => mark?.value))).toEqual(new Set(reasons));
});

it("the tests that run something in place of a block exist", () => {
  const named = reasons.flatMap((reason) => reason.match(/test\/\S+\.ts/g) ?? []);
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

describe("the commands of blocks that no test runs", () => {
  it("name scripts of package.json, and files of the checkout", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: object };
    for (const block of untried) {
      for (const [, script = ""] of block.text.matchAll(/npm run ([\w:-]+)/g))
        expect(Object.keys(scripts), placeOf(block)).toContain(script);
      for (const [path] of block.text.matchAll(/\bbuild\/[\w./-]+/g))
        expect(existsSync(join(root, path.replace(/hearthkit-$/, ""))), `${placeOf(block)}: ${path}`).toBe(true);
    }
  });

  it.runIf(isThere("docker"))("use flags that Docker has", () => {
    for (const { text } of untried.filter(({ text }) => text.includes("docker ")))
      for (const [, command = "", rest = ""] of text.matchAll(/^docker (build|run|exec)((?:.*\\\n)*.*)/gm)) {
        const { stdout } = spawnSync("docker", [command, "--help"], { encoding: "utf8" });
        for (const [flag] of rest.matchAll(/(?<= )--[a-z-]+/g)) expect(stdout, `docker ${command}`).toContain(flag);
      }
  });
});

describe("the configuration of other programs", () => {
  const textFor = (language: string) => blocks.filter((block) => block.language === language).map(({ text }) => text);

  it.runIf(isThere("nginx"))("is one that nginx takes", () => {
    using folder = temporaryFolder();
    const own = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${name};`);
    for (const text of textFor("nginx")) {
      const server = `server { listen unix:${folder.path}/own.sock; ${text} }`;
      const whole = `pid nginx.pid; events {} http { access_log off; ${own.join(" ")} ${server} }`;
      writeFileSync(join(folder.path, "nginx.conf"), whole);
      const given = ["-t", "-e", "stderr", "-p", folder.path, "-c", "nginx.conf"];
      const { status, stderr } = spawnSync("nginx", given, { encoding: "utf8" });
      expect(status, stderr).toBe(0);
    }
  });

  it.runIf(isThere("promtool"))("is one that Prometheus takes", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "prometheus.yml");
    for (const text of textFor("yaml")) {
      writeFileSync(file, text);
      const { status, stderr } = spawnSync("promtool", ["check", "config", file], { encoding: "utf8" });
      expect(status, stderr).toBe(0);
    }
  });
});
