/** Hearth's own receiver in the check-up that others are given, and its mutation that trusts result_code. */
import { describe, expect, it } from "vitest";
import { idempotencyKeyHeader, type StoredOrderPage } from "../../../server/contract/app/payments.ts";
import { checkPrefix, consolePerson, newCheckPerson } from "../../../server/contract/provider/internal-people.ts";
import { ownReceiverCheck } from "../../../server/contract/provider/checks/own-receiver-check.ts";
import type { SimPerson } from "../../../server/contract/provider/sim-people.ts";
import type { UserPage } from "../../../server/contract/console/console-users.ts";
import type { ReceiverCheckRow } from "../../../server/contract/provider/checks/receiver-check-rows.ts";
import type { Settings } from "../../../server/contract/process/settings.ts";
import { callConsole, json } from "../../support/app/control-calls.ts";
import { patienceMs } from "../../support/eventually.ts";
import { patientProvider } from "../../support/payments/patient-provider.ts";
import { allowTime, checkReceiver, failed, rowsOf } from "../../support/payments/receivers/receiver-checks.ts";
import { recordedCalls } from "../../support/app/recorded-calls.ts";
import { consoleToken, startTestApp, type TestApp } from "../../support/app/test-app.ts";
import { settleByResultCode } from "../../support/payments/receivers/trusting-receiver.ts";

/** What it answers is tested, not how busy this machine is. */
const patient = { provider: patientProvider, notificationPatienceMs: patienceMs };

async function check(app: TestApp, options: { only?: ReceiverCheckRow[]; reconcile_within_ms?: number } = {}) {
  await allowTime(app.provider.url);
  const { Authorization = "" } = await app.loggedIn("buyer");
  const sessionToken = Authorization.replace("Bearer ", "");
  const own = ownReceiverCheck({ app: app.url, consoleToken, sessionToken });
  return checkReceiver(app.provider, { ...own, reconcile_within_ms: 0, ...options });
}

const versions: readonly Partial<Settings>[] = [
  { payment_version: "v2", payment_sign_type: "MD5" },
  { payment_version: "v2", payment_sign_type: "HMAC-SHA256" },
  { payment_version: "v3" },
];

describe("Hearth's own receiver of payment notifications", () => {
  it.each(versions)("passes every row of the check-up by %j", async (settings) => {
    await using app = await startTestApp({ settings, payments: patient });
    const report = await check(app);
    // What it finds out by itself is tried with the program as it runs.
    // The platform's key is not being switched.
    const notJudged = settings.payment_version === "v3" ? ["key-certificate", "key-public", "lost"] : ["lost"];
    expect([report.state, failed(report), rowsOf(report, "not_judged")]).toEqual(["done", {}, notJudged]);
    expect(report.results[0]).toMatchObject({
      version: settings.payment_version,
      seen: expect.stringContaining("settled"),
    });
  });

  it("passes as the console's page has it checked: with a user's token alone, through the console's own origin", async () => {
    await using app = await startTestApp({ payments: patient });
    const headers = { Authorization: `Bearer ${consoleToken}` };
    const tokens = await app.post(`${app.url}/console/api/tokens`, { user: "receiver-check" }, headers);
    const { access_token: sessionToken } = (await tokens.json()) as { access_token: string };
    const simulator = { url: `${app.url}/console/api/provider`, headers };
    const report = await checkReceiver(simulator, {
      ...ownReceiverCheck({ app: app.url, sessionToken }),
      only: ["genuine", "forged-unpaid", "duplicate-serial", "amount-both"],
    });
    expect(report.results.map(({ verdict, seen }) => [verdict, /; (?:not )?settled$/.test(seen)])).toEqual(
      Array.from({ length: 4 }, () => ["pass", true]),
    );
    const ofChecks = "service=provider&method=POST&path=/sim/receiver-checks";
    // What the page asks for itself is nobody's call; whoever asks the simulator has no token in the record.
    expect((await recordedCalls(() => app).list(ofChecks)).requests).toEqual([]);
    await checkReceiver(app.provider, { ...ownReceiverCheck({ app: app.url, sessionToken }), only: ["genuine"] });
    const recorded = await recordedCalls(() => app).newest(ofChecks);
    expect(JSON.stringify(recorded)).toContain("page_size=20");
    expect(JSON.stringify(recorded)).not.toContain(sessionToken);
  });

  it("removes its orders on both sides when it ends, and keeps what was sent and answered", async () => {
    await using app = await startTestApp({ payments: patient });
    const { results } = await check(app, { only: ["genuine", "forged-unpaid", "refund-first"] });
    expect(results[0]?.deliveries[0]).toMatchObject({ status: 200, request: expect.stringContaining("<xml>") });
    expect(await (await fetch(`${app.provider.url}/sim/orders`)).json()).toMatchObject({ orders: [] });
    const stored = () => json<StoredOrderPage>(callConsole(app, "GET", "/orders"));
    await expect.poll(async () => (await stored()).total).toBe(0);
  });

  it("removes the user that was made for it, with the sessions and the platform's person, and keeps others", async () => {
    await using app = await startTestApp({ payments: patient });
    const headers = { Authorization: `Bearer ${consoleToken}` };
    const sessionOf = async (user: string) => {
      const reply = await app.post(`${app.url}/console/api/tokens`, { user }, headers);
      return ((await reply.json()) as { access_token: string }).access_token;
    };
    await sessionOf("receiver-check");
    const person = newCheckPerson();
    const own = ownReceiverCheck({ app: app.url, sessionToken: await sessionOf(person), person });
    const report = await checkReceiver(app.provider, { ...own, only: ["genuine"] });
    expect(report.counts.pass).toBe(1);
    const users = () => json<UserPage>(callConsole(app, "GET", "/users"));
    await expect.poll(async () => (await users()).users.map((user) => user.nick_name)).toEqual(["receiver-check"]);
    const people = async () => (await (await fetch(`${app.provider.url}/sim/users`)).json()) as SimPerson[];
    await expect.poll(async () => (await people()).map(({ name }) => name)).toEqual(["receiver-check"]);
  });

  it("leaves no user and no person behind when it is refused at its start", async () => {
    await using app = await startTestApp({ payments: patient });
    const person = newCheckPerson();
    const headers = { Authorization: `Bearer ${consoleToken}` };
    const tokens = await app.post(`${app.url}/console/api/tokens`, { user: person }, headers);
    const { access_token: sessionToken } = (await tokens.json()) as { access_token: string };
    const sim = (path: string, body: unknown) => app.post(`${app.provider.url}/sim${path}`, body, {});
    await sim("/faults", { kind: "trade_state", params: { state: "USERPAYING" } });
    const own = ownReceiverCheck({ app: app.url, sessionToken, person });
    expect((await sim("/receiver-checks", own)).status).toBe(409);
    await expect.poll(async () => (await json<UserPage>(callConsole(app, "GET", "/users"))).users).toEqual([]);
    const people = async () => (await (await fetch(`${app.provider.url}/sim/users`)).json()) as SimPerson[];
    await expect.poll(people).toEqual([]);
  });

  it("hides its orders, and those of the console's own user, from a list that leaves them out", async () => {
    await using app = await startTestApp({ payments: patient });
    const headers = await app.loggedIn("buyer");
    const order = { description: "tea", amount: 1, trade_type: "NATIVE" };
    const key = { [idempotencyKeyHeader]: `${checkPrefix}1` };
    await app.post(`${app.url}/api/orders`, order, { ...headers, ...key });
    await app.post(`${app.url}/api/orders`, order, headers);
    await app.post(`${app.url}/api/orders`, order, await app.loggedIn(consolePerson));
    const page = (query: string) => json<StoredOrderPage>(callConsole(app, "GET", `/orders${query}`));
    expect([(await page("")).total, (await page("?without_internal=true")).counts.NOTPAY]).toEqual([3, 1]);
    const placed = async (query: string) => {
      const reply = await fetch(`${app.provider.url}/sim/orders${query}`);
      return ((await reply.json()) as { orders: unknown[] }).orders.length;
    };
    expect([await placed(""), await placed("?without_internal=true")]).toEqual([3, 1]);
  });

  it("fails the rows that need a query when it is made to trust result_code", async () => {
    await using app = await startTestApp({ payments: { ...patient, createSettle: settleByResultCode } });
    const report = await check(app, {
      only: ["query-first", "forged-unpaid", "amount-query", "state-refund", "retry"],
    });
    expect(Object.keys(failed(report))).toHaveLength(5);
  });
});
