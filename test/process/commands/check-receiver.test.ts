import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { describe, expect, it } from "vitest";
import { receiverCheckSchema } from "../../../server/contract/provider/checks/receiver-checks.ts";
import { builtCommand, launchHearth, plainEnvironment } from "../../support/process/launch.ts";
import { runCommand } from "../../support/process/run-command.ts";
import { listen } from "../../support/process/listen.ts";
import { acceptedV2, notificationReceiver } from "../../support/payments/notification-receiver.ts";
import { allowTime, failed, rowsOf } from "../../support/payments/receivers/receiver-checks.ts";
import { startShopBackend } from "../../support/payments/shop-backend.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { startTestProvider } from "../../support/payments/test-provider.ts";

const run = promisify(execFile);

/** Runs `hearth check-receiver ARGS` with a data directory on which nothing runs. */
async function checkReceiver(args: readonly string[], temporary: string) {
  const env = { ...plainEnvironment(), TMPDIR: temporary, HEARTH_DATA_DIR: join(temporary, "none") };
  return run(process.execPath, [builtCommand, "check-receiver", ...args], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

const reportIn = (file: string) => receiverCheckSchema.parse(JSON.parse(readFileSync(file, "utf8")));

/** Well-formed, and what it says of each test case. */
function junitIn(file: string) {
  const text = readFileSync(file, "utf8");
  expect(XMLValidator.validate(text)).toBe(true);
  const parser = new XMLParser({ ignoreAttributes: false, isArray: (name) => name === "testcase" });

  return parser.parse(text).testsuites.testsuite;
}

describe("hearth check-receiver", () => {
  it("finds nothing wrong with Hearth's own receiver in any row, with a Hearth that runs", async () => {
    using folder = temporaryFolder();
    await using hearth = launchHearth();
    const { provider } = await hearth.ready();
    await allowTime(provider);
    const [junit, json] = [join(folder.path, "junit.xml"), join(folder.path, "report.json")];
    const { code, stdout, stderr } = await checkReceiver(
      ["--hearth", "--ready-file", hearth.readyFile, "--junit", junit, "--json", json],
      folder.path,
    );
    const report = reportIn(json);
    expect([failed(report), rowsOf(report, "not_judged"), report.state, stderr, code]).toEqual([{}, [], "done", "", 0]);
    expect(stdout).toMatch(/^pass {2}genuine .*\n/m);
    expect(stdout).toContain(`${String(report.planned.length)} passed, in `);
    expect(junitIn(junit)).toMatchObject({ "@_tests": String(report.planned.length), "@_failures": "0" });
    expect(await (await fetch(`${provider}/sim/faults`)).json()).toEqual({ faults: [] });
  });

  it("starts a Hearth when none runs, exits with 1 for a receiver that trusts everything, and leaves nothing behind", async () => {
    using folder = temporaryFolder();
    using reports = temporaryFolder();
    await using receiver = await notificationReceiver((_request, response) => response.writeHead(200).end(acceptedV2));
    const [junit, json] = [join(reports.path, "junit.xml"), join(reports.path, "report.json")];
    const rows = ["genuine", "query-first", "forged-missing", "lost"].flatMap((row) => ["--only", row]);
    const { code, stdout } = await checkReceiver(
      ["--notify-url", receiver.url, ...rows, "--junit", junit, "--json", json],
      folder.path,
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/^FAIL {2}forged-missing .*\n +It accepted one without a signature[.]$/m);
    expect(stdout).toContain("1 passed, 2 failed, 1 not judged");
    expect(Object.keys(failed(reportIn(json)))).toEqual(["query-first", "forged-missing"]);
    const { testcase, ...suite } = junitIn(junit);
    expect(suite).toMatchObject({ "@_tests": "4", "@_failures": "2", "@_skipped": "1" });
    expect(testcase[2].failure["@_message"]).toContain("It accepted one without a signature.");
    expect(testcase[3].skipped["@_message"]).toContain("is not set");
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it("asks a backend for its orders and what it has settled, and lists its mistakes", async () => {
    using folder = temporaryFolder();
    await using provider = await startTestProvider();
    await allowTime(provider.url);
    await using shop = await startShopBackend(provider, "v2", "ignores-amounts");
    const rows = ["genuine", "duplicate-serial", "amount-less"].flatMap((row) => ["--only", row]);
    const { code, stdout } = await checkReceiver(
      [
        ...["--provider-url", provider.url, "--notify-url", `${shop.url}/notifications`],
        ...[
          "--order-url",
          `${shop.url}/orders?{unique}`,
          "--order-method",
          "put",
          "--order-body",
          '{"note":"{unique}"}',
        ],
        ...["--order-header", "Authorization: Bearer x", "--order-number-at", "data.number"],
        ...["--status-url", `${shop.url}/status/{reply.data.number}`, "--status-header", "X-Key: 1"],
        ...["--settled-when", "state=PAID", "--settlements-at", "settlements", ...rows],
      ],
      folder.path,
    );
    expect([code, stdout.match(/^(?:pass|FAIL) {2}.*/gm)]).toEqual([
      1,
      [
        expect.stringMatching(/^pass {2}genuine .*; settled$/),
        expect.stringMatching(/^pass {2}duplicate-serial .*5 × yes .*; settled$/),
        expect.stringMatching(/^FAIL {2}amount-less .*; settled$/),
      ],
    ]);
  });

  it("checks several receivers side by side at one simulator, as parallel CI jobs do, and each report is of its own", async () => {
    using folder = temporaryFolder();
    await using provider = await startTestProvider();
    await using right = await startShopBackend(provider, "v2");
    await using amounts = await startShopBackend(provider, "v2", "ignores-amounts");
    await using signatures = await startShopBackend(provider, "v3", "ignores-signatures");
    const rows = ["genuine", "forged-wrong-key", "amount-less"].flatMap((row) => ["--only", row]);
    const check = async ({ url }: { readonly url: string }) => {
      using reports = temporaryFolder();
      const json = join(reports.path, "report.json");
      const receiver = ["--provider-url", provider.url, "--notify-url", `${url}/notifications`];
      const orders = ["--order-url", `${url}/orders?{unique}`, "--order-number-at", "data.number"];
      const settled = ["--status-url", `${url}/status/{reply.data.number}`, "--settled-when", "state=PAID"];
      const { code } = await checkReceiver([...receiver, ...orders, ...settled, ...rows, "--json", json], folder.path);
      return [code, Object.keys(failed(reportIn(json)))];
    };
    await allowTime(provider.url);
    expect(await Promise.all([right, amounts, signatures].map(check))).toEqual([
      [0, []],
      [1, ["amount-less"]],
      [1, ["forged-wrong-key"]],
    ]);
    expect(await (await fetch(`${provider.url}/sim/faults`)).json()).toEqual({ faults: [] });
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it("makes Hearth's own orders by the version that is asked for", async () => {
    using folder = temporaryFolder();
    const { code, stdout } = await checkReceiver(
      ["--hearth", "--version", "v3", "--only", "genuine", "--only", "forged-tag"],
      folder.path,
    );
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^pass {2}forged-tag /m)]);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it("asks the Hearth of the project in whose folder it is called", async () => {
    using home = temporaryFolder();
    using project = temporaryFolder();
    const env = { TMPDIR: home.path, HOME: home.path, XDG_DATA_HOME: home.path };
    writeFileSync(join(project.path, "hearth.config.json"), '{ "data_dir": ".hearth" }');
    await using usual = launchHearth({ env, dataDir: join(home.path, "hearth") });
    await using own = launchHearth({ env, dataDir: join(project.path, ".hearth"), cwd: project.path });
    const simulators = (await Promise.all([usual.ready(), own.ready()])).map(({ provider }) => provider);
    await using receiver = await notificationReceiver((_request, response) => response.writeHead(200).end(acceptedV2));
    const args = ["check-receiver", "--notify-url", receiver.url, "--only", "genuine"];
    expect(await runCommand(args, env, project.path)).toMatchObject({ stderr: "" });
    const checksAt = async (url: string): Promise<unknown> => (await fetch(`${url}/sim/receiver-checks`)).json();
    expect(await Promise.all(simulators.map(checksAt))).toMatchObject([
      { checks: [] },
      { checks: [{ state: "done" }] },
    ]);
  });

  it.skipIf(process.platform === "win32")("is cancelled by Ctrl-C, with 130, and leaves nothing behind", async () => {
    using folder = temporaryFolder();
    await using hearth = launchHearth();
    const { provider } = await hearth.ready();
    await using receiver = await notificationReceiver(() => undefined); // it never answers
    const child = spawn(
      process.execPath,
      [builtCommand, "check-receiver", "--provider-url", provider, "--notify-url", receiver.url],
      { env: { ...plainEnvironment(), TMPDIR: folder.path }, stdio: "ignore" },
    );
    const exited = once(child, "exit");
    await expect.poll(() => receiver.received.length).toBeGreaterThan(0);
    child.kill("SIGINT");
    expect(await exited).toEqual([130, null]);
    const read = async (path: string): Promise<unknown> => (await fetch(`${provider}/sim/${path}`)).json();
    await expect.poll(() => read("receiver-checks")).toMatchObject({ checks: [{ state: "cancelled" }] });
    expect(await read("faults")).toEqual({ faults: [] });
    expect(await read("orders?trade_state=NOTPAY")).toMatchObject({ orders: [] });
    expect(readdirSync(folder.path)).toEqual([]);
  });

  const away = "http://127.0.0.1:9";
  const notify = ["--notify-url", away];
  it.each([
    [["--nope"], "--nope"],
    [[], "--notify-url"],
    [["--notify-url", "here"], "--notify-url"],
    [[...notify, "--only", "genuin"], "--only"],
    [[...notify, "--version", "v4"], "--version"],
    [[...notify, "--settled-when", "a=1"], "--status-url"],
    [[...notify, "--order-url", away, "--order-header", "x"], "--order-header"],
    [[...notify, "--reconcile-within", "soon"], "--reconcile-within must be 0 to 600 seconds"],
    [[...notify, "--reconcile-within", "900"], "--reconcile-within must be 0 to 600 seconds"],
    [[...notify, "--sign-type", "SHA1"], "--sign-type: one of MD5, HMAC-SHA256"],
    [[...notify, "--status-url", away, "--status-header", "X(Key): 1"], "--status-header"],
    [[...notify, "--status-url", away, "--settled-when", "x".repeat(401)], "--settled-when: at most 400 characters"],
    [["--hearth", "--notify-url", away], "--notify-url"],
    [["--hearth", "--refund-notify-url", away], "--refund-notify-url"],
    [["--hearth", "--ready-file", "/no/such"], "/no/such"],
    [[...notify, "--provider-url", away, "--ready-file", "x"], "--ready-file"],
    [["--hearth", "--ready-file", "x", "--data-dir", "x"], "--data-dir"],
    [["--hearth", "--data-dir", "x", "--provider-port", "0"], "--provider-port"],
  ])("refuses %j with 2 and names %s", async (args, named) => {
    using folder = temporaryFolder();
    const { code, stderr, stdout } = await checkReceiver(args, folder.path);
    // The whole flag: --status-headers is none.
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(new RegExp(`${named}(?![\\w-])`))]);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  it("says that what answers is no simulator", async () => {
    using folder = temporaryFolder();
    await using page = await listen((_, res) => res.end("<!doctype html>"));
    expect(await checkReceiver(["--provider-url", page.url, "--notify-url", page.url], folder.path)).toMatchObject({
      code: 1,
      stderr: `hearth: the server at ${page.url} is not a simulator\n`,
    });
  });

  it("says that no simulator answers, that nothing answers at the receiver's address, and lists its rows", async () => {
    using folder = temporaryFolder();
    expect(await checkReceiver(["--provider-url", away, "--notify-url", away], folder.path)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^hearth: no simulator responds at http:[/][/]127[.]0[.]0[.]1:9: .*\n$/),
    });
    const listed = await checkReceiver(["--list"], folder.path);
    expect([listed.code, listed.stdout]).toEqual([
      0,
      expect.stringMatching(/^forged-unpaid +A validly signed SUCCESS/m),
    ]);
    expect((await checkReceiver(["--help"], folder.path)).stdout).toContain("Usage: hearth check-receiver");
  });
});
