/** Clients of all instances, and the books of what was promised to them beyond those of the fault suite. */
import type { Draw } from "../../faults/suite/draw.ts";
import type { Findings } from "../../faults/suite/audit.ts";
import { dataOf, newLedger, startClients, uploadOne, writeArticle, type Ledger } from "../../faults/suite/traffic.ts";
import { until } from "../../faults/suite/until.ts";
import type { Cluster } from "./cluster.ts";

interface Winner {
  readonly prize: number;
  readonly entry: number;
}

export interface Books extends Ledger {
  /** By the raffles' ids, what each acknowledged draw said. */
  readonly raffles: Map<number, Winner[]>;
  /** Tokens of sessions, and whether each has been ended. */
  readonly sessions: Map<string, "open" | "ending" | "ended">;
  /** What a client saw and should not have seen. */
  readonly seen: string[];
}

export const newBooks = (mark: string): Books => ({
  ...newLedger(mark),
  raffles: new Map(),
  sessions: new Map(),
  seen: [],
});

const entries = Array.from({ length: 300 }, (_, at) => `entrant ${String(at)}`);
const prizes = 200;

/** An order, paid. It is asked for until it is acknowledged: repeats under one key must yield the same one. */
async function buy(cluster: Cluster, { orders }: Books, name: string): Promise<void> {
  const key = { "Idempotency-Key": name };
  const place = () => cluster.client("POST", "/orders", { description: name, amount: 101 }, key).catch(() => undefined);
  for (let tries = 1; tries <= 5; tries++) {
    const placed = await place();
    if (placed?.status !== 201) continue;
    const { id, out_trade_no } = dataOf<{ id: number; out_trade_no: string }>(placed);
    const order = { id, outTradeNo: out_trade_no, paid: false };
    orders.push(order);
    order.paid = (await cluster.sim("POST", `/orders/${out_trade_no}/pay`)).status === 200;
    return;
  }
}

/** Draws prizes of the newest raffle, which all of these clients share, and begins another when it is over. */
async function draw(cluster: Cluster, { raffles }: Books, title: string): Promise<void> {
  const [newest] = [...raffles.keys()].slice(-1);
  const drawn = newest === undefined ? undefined : await cluster.client("POST", `/raffles/${String(newest)}/draws`);
  if (newest !== undefined && drawn?.status === 201) raffles.get(newest)?.push(dataOf<Winner>(drawn));
  if (drawn !== undefined && drawn.status !== 403) return;
  const made = await cluster.client("POST", "/raffles", { title, entries, prizes });
  if (made.status === 201) raffles.set(dataOf<{ id: number }>(made).id, []);
}

/** Logs in as somebody new. Every other session is ended again. */
async function logIn(cluster: Cluster, { sessions }: Books, user: string): Promise<void> {
  const login = await cluster.sim("POST", `/users/${user}/login`);
  if (login.status >= 300) return;
  const { code } = login.body as { code: string };
  const reply = await cluster.as(undefined, "POST", "/sessions", { code });
  if (reply.status !== 201) return;
  const { access_token: token } = (reply.body as { status: { access_token: string } }).status;
  sessions.set(token, "open");
  if (sessions.size % 2 === 0) return;
  sessions.set(token, "ending");
  const { status } = await cluster.as(token, "DELETE", "/sessions/current");
  if (status < 300) sessions.set(token, "ended");
}

/** Reads what was acknowledged a moment ago, whichever instance is asked now. */
async function readBack(cluster: Cluster, { articles, seen }: Books): Promise<void> {
  const [newest] = [...articles].slice(-1);
  if (!newest) return;
  const [title, { id, body }] = newest;
  const reply = await cluster.client("GET", `/articles/${String(id)}`);
  const isIt = reply.status >= 500 || (reply.status === 200 && dataOf<{ body: string }>(reply).body === body);
  if (!isIt) seen.push(`article ${title} just after it was written: ${String(reply.status)}`);
}

export const startEveryClient = (cluster: Cluster, books: Books, isCalm: boolean, random: Draw) =>
  startClients(books, isCalm, [
    [30, (name) => writeArticle(cluster, books, name)],
    [30, (name) => writeArticle(cluster, books, name)],
    [30, () => readBack(cluster, books)],
    [60, (name) => uploadOne(cluster, books, random, `${name}.zip`, random.between(1, 40))],
    [60, (name) => uploadOne(cluster, books, random, `${name}.zip`, random.between(1, 20))],
    [60, (name) => buy(cluster, books, name)],
    [60, (name) => buy(cluster, books, name)],
    [30, (name) => draw(cluster, books, name)],
    [30, (name) => draw(cluster, books, name)],
    [100, (name) => logIn(cluster, books, name)],
  ]);

async function checkRaffles(cluster: Cluster, { raffles }: Books, findings: Findings): Promise<void> {
  for (const [id, told] of raffles) {
    const reply = await cluster.api("GET", `/raffles/${String(id)}`);
    if (reply.status !== 200) {
      findings.lost.push(`raffle ${String(id)}: ${String(reply.status)}`);
      continue;
    }
    const { winners } = dataOf<{ winners: Winner[] }>(reply);
    for (const [what, of] of Object.entries({
      prize: winners.map((one) => one.prize),
      entry: winners.map((one) => one.entry),
    }))
      if (new Set(of).size < of.length) findings.doubled.push(`a winning ${what} of raffle ${String(id)}`);
    for (const { prize, entry } of told)
      if (!winners.some((one) => one.prize === prize && one.entry === entry))
        findings.lost.push(`prize ${String(prize)} of raffle ${String(id)}`);
    if (new Set(told.map(({ prize }) => prize)).size < told.length)
      findings.doubled.push(`an acknowledged draw of raffle ${String(id)}`);
  }
}

/** Each session holds, or has ended, at every instance. */
async function checkSessions(cluster: Cluster, { sessions }: Books, findings: Findings): Promise<void> {
  const known = [...sessions].filter(([, state]) => state !== "ending");
  for (const { addresses } of cluster.instances)
    for (const [token, state] of known) {
      const headers = { Authorization: `Bearer ${token}` };
      const status = await until("an answer", async () => {
        const reply = await fetch(`${addresses().app}/api/sessions/current`, { headers });
        return reply.status < 500 ? reply.status : undefined;
      });
      if ((status === 200) !== (state === "open"))
        findings.wrong.push(`a session that is ${state} is answered ${String(status)}`);
    }
}

/** Adds to the findings what the audit of the fault suite does not look at. */
export async function checkBooks(cluster: Cluster, books: Books, findings: Findings): Promise<void> {
  await checkRaffles(cluster, books, findings);
  await checkSessions(cluster, books, findings);
  findings.wrong.push(...books.seen, ...cluster.refusals.splice(0));
}
