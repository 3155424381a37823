/** Holds what is there against what was promised. */
import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { CloudEvent } from "../../../server/contract/console/traffic/stored-event.ts";
import type { Upload } from "../../../server/contract/app/uploads.ts";
import { consoleToken } from "./hearth.ts";
import type { Ledger, PlacedOrder } from "./traffic.ts";
import { until } from "./until.ts";
import type { World } from "./world.ts";
import { Sqlite } from "../../../server/store/native-sqlite.ts";

export interface Findings {
  /** What was acknowledged and is not there, or not as it was. */
  readonly lost: string[];
  /** What is there more than once. */
  readonly doubled: string[];
  /** What nobody should see, or should have ended otherwise. */
  readonly wrong: string[];
}

type Page<T> = { readonly data: T[] };

/** What is asked until it is able to answer, and SQLite's files that can be looked into. */
export type AuditedWorld = Pick<World, "api" | "console" | "appUrl"> & { readonly databases: readonly string[] };

export function createAudit(world: AuditedWorld) {
  /** How often each thing was told of, by what it is: `resource.created articles 7`. */
  const told = new Map<string, number>();
  let lastEvent = 0;

  function keyOf({ type, data }: CloudEvent): string {
    const { df, ev, collection, id, out_trade_no } = data as Record<string, string | number>;
    if (type === "file.changed") return `${String(ev)} ${String(df)}`;
    return [type, collection ?? "", out_trade_no ?? id].join(" ");
  }

  /** Reads the events that have come since the last time. */
  async function readEvents(): Promise<void> {
    const fresh: CloudEvent[] = [];
    for (let before: number | undefined; ; before = Number(fresh.at(-1)?.id)) {
      const { body } = await world.console(
        "GET",
        `/events?limit=500${before === undefined ? "" : `&before=${before}`}`,
      );
      const { events } = body as { events: CloudEvent[] };
      const unread = events.filter(({ id }) => Number(id) > lastEvent);
      fresh.push(...unread);
      if (unread.length < 500) break;
    }
    lastEvent = Math.max(lastEvent, ...fresh.map(({ id }) => Number(id)));
    for (const event of fresh) told.set(keyOf(event), (told.get(keyOf(event)) ?? 0) + 1);
  }

  function once(findings: Findings, what: string, times: number): void {
    if (times === 0) findings.lost.push(what);
    if (times > 1) findings.doubled.push(`${what}: ${String(times)} times`);
  }

  async function articles({ mark, articles: promised }: Ledger, findings: Findings): Promise<void> {
    const there: { id: number; title: string; body?: string }[] = [];
    for (let page = 1; ; page++) {
      const reply = await world.api("GET", `/articles?q=${mark}-&page_size=100&page=${String(page)}`);
      const { data } = reply.body as Page<(typeof there)[number]>;
      there.push(...data);
      if (data.length < 100) break;
    }
    for (const [title, { id, body }] of promised) {
      const found = there.filter((one) => one.title === title);
      once(findings, `article ${title}`, found.length);
      if (found.some((one) => one.body !== body || one.id !== id)) findings.lost.push(`the text of article ${title}`);
      once(findings, `event of article ${title}`, told.get(`resource.created articles ${String(id)}`) ?? 0);
    }
    for (const title of new Set(there.map((one) => one.title)))
      if (!promised.has(title)) {
        const found = there.filter((one) => one.title === title);
        // A client that got no answer may find its article, but whole and once.
        if (found.length > 1) findings.doubled.push(`article ${title}, which was not acknowledged`);
      }
  }

  async function uploads({ mark, uploads: promised }: Ledger, findings: Findings): Promise<void> {
    const there: Upload[] = [];
    for (let before: number | undefined; ; before = there.at(-1)?.id) {
      const { body } = await world.console(
        "GET",
        `/uploads?limit=500${before === undefined ? "" : `&before=${before}`}`,
      );
      const { uploads: page } = body as { uploads: Upload[] };
      const ofRound = page.filter(({ file_name }) => file_name.startsWith(`${mark}-`));
      there.push(...ofRound);
      if (ofRound.length < page.length || page.length === 0) break;
    }
    for (const upload of there) {
      const content = await fetch(`${world.appUrl()}/console/api/uploads/${String(upload.id)}/content`, {
        headers: { Authorization: `Bearer ${consoleToken}` },
      });
      const sha256 = createHash("sha256")
        .update(Buffer.from(await content.arrayBuffer()))
        .digest("hex");
      const promise = promised.get(upload.file_name) ?? upload.sha256;
      if (sha256 !== promise || sha256 !== upload.sha256) findings.lost.push(`the content of ${upload.file_name}`);
    }
    for (const name of promised.keys()) {
      const found = there.filter(({ file_name }) => file_name === name);
      once(findings, `upload ${name}`, found.length);
      once(findings, `event of upload ${name}`, told.get(`upload.stored  ${String(found[0]?.id)}`) ?? 0);
    }
  }

  async function orders({ orders: promised }: Ledger, findings: Findings): Promise<void> {
    const read = async ({ id }: PlacedOrder) => {
      const { body } = await world.api("GET", `/orders/${String(id)}`);
      return (body as { data?: { out_trade_no: string; trade_state: string } }).data;
    };
    const check = async (order: PlacedOrder) => {
      const { outTradeNo, paid } = order;
      if ((await read(order))?.out_trade_no !== outTradeNo) findings.lost.push(`order ${outTradeNo}`);
      else if (paid)
        await until("it to be settled", async () => (await read(order))?.trade_state === "SUCCESS" || undefined).catch(
          async () => findings.lost.push(`that order ${outTradeNo} was paid: ${JSON.stringify(await read(order))}`),
        );
    };
    await Promise.all(promised.map(check));
  }

  function orderEvents({ orders: promised }: Ledger, findings: Findings): void {
    for (const { outTradeNo, paid } of promised) {
      once(findings, `event of order ${outTradeNo}`, told.get(`order.placed  ${outTradeNo}`) ?? 0);
      if (paid) once(findings, `settlement of order ${outTradeNo}`, told.get(`payment.settled  ${outTradeNo}`) ?? 0);
    }
  }

  async function fileEvents({ files }: Ledger, findings: Findings): Promise<void> {
    const missing = () => [...files].filter((path) => !told.has(`create ${path}`));
    await until("the file events", async () => {
      await readEvents();
      return missing().length === 0 || undefined;
    }).catch(() => undefined);
    for (const path of files) once(findings, `file event of ${path}`, told.get(`create ${path}`) ?? 0);
  }

  /** SQLite's own check of the databases, beside the Hearth that writes them. */
  function databases(findings: Findings): void {
    for (const file of world.databases) {
      const db = new Sqlite(file, { readOnly: true });
      const answer = db.pragma("integrity_check");
      db.close();
      if (answer !== "ok") findings.wrong.push(`${basename(file)}: ${String(answer)}`);
    }
  }

  return {
    /** Adds to the findings. */
    async check(ledger: Ledger, findings: Findings): Promise<void> {
      await orders(ledger, findings);
      await fileEvents(ledger, findings);
      await readEvents();
      await articles(ledger, findings);
      await uploads(ledger, findings);
      orderEvents(ledger, findings);
      databases(findings);
    },
  };
}
