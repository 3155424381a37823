/** A running Hearth in the place of the real platform's hosts, and the certificate authority of its installation. */
import { execFile } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchHearth, plainEnvironment } from "../../support/process/launch.ts";
import { runCommand } from "../../support/process/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const folder = temporaryFolder();
/** Shells read it in quotes. */
const dataDir = join(folder.path, "Ada's data");
const certificateFile = join(dataDir, "certificate-authority", "hearth-authority.crt");
const keyFile = join(dataDir, "certificate-authority", "authority-key.pem");
let hearth: ReturnType<typeof launchHearth>;
beforeAll(async () => {
  hearth = launchHearth({ dataDir, flags: ["--stand-in", "--stand-in-port", "0"] });
  await hearth.ready();
});
afterAll(async () => {
  await hearth[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const ca = (...args: string[]) => runCommand(["ca", ...args, "--data-dir", dataDir]);
const fingerprint = () => new X509Certificate(readFileSync(certificateFile)).fingerprint256;

describe("while Hearth stands in", () => {
  it.skipIf(process.platform === "win32")("the lines of hearth ca --env lead a shell's commands to it", async () => {
    const { stdout: lines } = await ca("--env");
    const source = `fetch("https://api.weixin.qq.com/sns/jscode2session?appid=a&secret=b&js_code=c")
      .then((reply) => reply.json()).then(({ errcode }) => console.log(errcode, process.env.NODE_OPTIONS));`;
    const script = `NODE_OPTIONS=--no-deprecation\n${lines}\n"${process.execPath}" -e '${source}'`;
    const { stdout } = await promisify(execFile)("sh", ["-c", script], { env: plainEnvironment() });
    expect(stdout).toMatch(/^4\d{4} /);
  });

  it("what hearth ca --env writes takes the place of links, and leaves what they lead to", async () => {
    await ca("--env");
    const [profile, php] = [join(folder.path, "profile"), join(folder.path, "php")];
    writeFileSync(profile, "mine");
    mkdirSync(php);
    const ofCommand = (name: string) => join(dataDir, "certificate-authority", "command", name);
    for (const [name, to] of [
      ["preload.cjs", profile],
      ["bundle.pem", profile],
      ["php", php],
    ] as const) {
      rmSync(ofCommand(name), { recursive: true });
      symlinkSync(to, ofCommand(name));
    }
    expect(await ca("--env")).toMatchObject({ code: 0 });
    expect([readFileSync(profile, "utf8"), readdirSync(php)]).toEqual(["mine", []]);
    expect(lstatSync(ofCommand("preload.cjs")).isFile()).toBe(true);
    expect(readdirSync(ofCommand("php"))).toEqual(["hearth.ini"]);
  });

  it("hearth ca names certificate, fingerprint and what the authority may vouch for", async () => {
    const { code, stdout } = await ca();
    expect(code).toBe(0);
    for (const part of [certificateFile, fingerprint(), "api.mch.weixin.qq.com", "192.168.0.0/16"])
      expect(stdout).toContain(part);
  });

  it.skipIf(process.platform === "win32")("nobody but its owner reads the authority's key", () => {
    expect((statSync(keyFile).mode & 0o777).toString(8)).toBe("600");
    for (const name of readdirSync(join(dataDir, "certificate-authority"), { recursive: true, encoding: "utf8" })) {
      const path = join(dataDir, "certificate-authority", name);
      if (path !== keyFile && statSync(path).isFile())
        expect(readFileSync(path, "latin1"), name).not.toContain("PRIVATE KEY");
    }
  });

  it("the overview names its proxy beside the other addresses", async () => {
    const { app } = await hearth.statuses();
    const reply = await fetch(app?.urls["stand_in"] ?? "no address");
    expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining("This is a proxy")]);
  });

  it("the authority is not removed under it", async () => {
    expect(await ca("remove")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is in use by another Hearth"),
    });
    expect(existsSync(keyFile)).toBe(true);
  });
});

describe("when Hearth has ended", () => {
  it("there are no lines for a shell, the authority goes with hearth ca remove, and the next one is another", async () => {
    await hearth[Symbol.asyncDispose]();
    expect(await ca("--env")).toMatchObject({ code: 1, stderr: expect.stringContaining("no Hearth uses") });
    const before = fingerprint();
    expect(await ca("remove")).toMatchObject({ code: 0, stdout: expect.stringContaining(before) });
    expect(existsSync(join(dataDir, "certificate-authority"))).toBe(false);
    expect(await ca("remove")).toMatchObject({ code: 0, stdout: expect.stringContaining("no certificate authority") });
    await ca();
    expect(fingerprint()).not.toBe(before);
  });

  it("a start whose port for the stand-in is taken names the setting, and hearth uninstall the authority", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const port = String((other.address() as AddressInfo).port);
    await using refused = launchHearth({ dataDir, flags: ["--stand-in", "--stand-in-port", port] });
    expect(await refused.exited).toBe(1);
    other.close();
    expect(refused.output()).toContain("--stand-in-port");
    const { stdout } = await runCommand(["uninstall", "--keep-data", "--data-dir", dataDir], { HOME: folder.path });
    expect(stdout).toContain("removed the certificate authority");
    expect(existsSync(keyFile)).toBe(false);
  });
});
