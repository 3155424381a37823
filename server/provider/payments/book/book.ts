import type { CompiledQuery, Kysely, Transaction } from "kysely";
import type { Awaitable, Database, Statement } from "../../../store/database.ts";
import { boundParameters, parameter, parameterRow } from "../../../store/prepared-statement.ts";
import { refusal } from "../ledger/refusals.ts";
import type { BookTables } from "./book-tables.ts";

/**
 * `buyers`: what buyers paid (negative) and got. `coupons`: coupons collected from them. `fees`: what the platform earned.
 * `platform`: money under way inside the platform, such as a transfer that waits for its user. `receiver:ID`: a receiver of
 * shared profit, by merchant number or openid. A merchant's money is `available` or `frozen`.
 */
export type Account = "buyers" | "coupons" | "platform" | "fees" | `${"available" | "frozen" | "receiver"}:${string}`;

/** Positive fen come into the account. */
export interface Line {
  readonly account: Account;
  readonly fen: number;
}

/** Identifies a posting: an operation is booked once. */
export interface PostingKey {
  readonly mchId: string;
  /** A word per kind of operation, such as `refund`. */
  readonly kind: string;
  /** The operation's number, unique among the merchant's postings of the kind. */
  readonly subject: string;
}

export interface Posting extends PostingKey {
  readonly lines: readonly Line[];
  /** The order that it belongs to. */
  readonly orderId?: number | undefined;
  /** Unix ms. Default: now. */
  readonly at?: number | undefined;
  /** Sums that count against the limits of merchants. */
  readonly charges?: readonly Charge[] | undefined;
}

/** Fen that count against a merchant's limit, if a test has set one; negative ones return to it. */
export interface Charge {
  readonly mchId: string;
  readonly fen: number;
}

export const availableOf = (mchId: string): Account => `available:${mchId}`;
export const frozenOf = (mchId: string): Account => `frozen:${mchId}`;
export const receiverOf = (id: string): Account => `receiver:${id}`;

/** The lines that move an amount from one account to another; none for zero. */
export const moving = (from: Account, to: Account, fen: number): Line[] =>
  fen === 0
    ? []
    : [
        { account: from, fen: -fen },
        { account: to, fen },
      ];

interface Deps extends Pick<Database<BookTables>, "db" | "writes"> {
  /** Unix time in ms. */
  readonly now: () => number;
}

type Values = Readonly<Record<string, unknown>>;
type AccountRow = Readonly<{ account: string; fen: number }>;

/** Runs a statement: in a transaction, or in the current grouped write. */
type Run = <Row>(statement: string, compile: () => CompiledQuery<Row>, values: Values) => Awaitable<Row[]>;

/** Only `available` can be overdrawn: the platform lends a merchant without a limit what its tests refund. */
const mayOverdraw = (account: string) => !/^(?:frozen|receiver):/.test(account);

export const parseLines = (text: string): Line[] =>
  (JSON.parse(text) as [Account, number][]).map(([account, fen]) => ({ account, fen }));

/** Fen that a posting moved in a merchant's accounts, line by line. @param lines as they are stored */
export const movedIn = (owner: string, lines: string): number[] =>
  parseLines(lines).flatMap(({ account, fen }) => (account.slice(account.indexOf(":") + 1) === owner ? [fen] : []));

const encodeLines = (lines: readonly Line[]) => JSON.stringify(lines.map(({ account, fen }) => [account, fen]));

/** Sums by account, in the order of names, so that two transactions lock rows in the same order. */
function sumsOf(lines: readonly Line[]): [string, number][] {
  const sums = new Map<string, number>();
  for (const { account, fen } of lines) sums.set(account, (sums.get(account) ?? 0) + fen);
  return [...sums].filter(([, fen]) => fen !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * The double-entry book of all products. Each movement of money is a posting whose lines add up to zero, written in the
 * transaction of what it books: `await book.post(trx, { kind, mchId, subject, lines })`. Within `writes.write`, use
 * `postInWrite`. The accounts of the lines say whose money it is: a sub-merchant's own, where its service provider made the
 * order. A posting is never changed; `undo` posts its opposite. An error undoes the whole transaction.
 */
export class Book {
  readonly #deps: Deps;
  readonly #compiled = new Map<string, CompiledQuery<unknown>>();
  readonly #prepared = new Map<string, Statement<unknown>>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * @throws PaymentRefusal NOTENOUGH if a frozen or a receiver's account, or the merchant's limit, would be overdrawn
   * @throws UniqueViolation if the operation was booked before
   */
  post(trx: Transaction<BookTables>, posting: Posting): Promise<void> {
    return this.#post(this.#runIn(trx), posting);
  }

  /** As `post`, inside of a grouped write. */
  postInWrite(posting: Posting): Promise<void> {
    return this.#post(this.#runInWrite, posting);
  }

  /**
   * Posts the opposite of what was booked; nothing if nothing was.
   * @param into the account for what an account gets back
   * @throws as `post`
   */
  async undo(
    trx: Transaction<BookTables>,
    key: PostingKey,
    as: Pick<Posting, "kind" | "charges" | "at">,
    into: (account: Account) => Account = (account) => account,
  ): Promise<void> {
    const before = await trx
      .selectFrom("pay_postings")
      .select(["lines", "order_id"])
      .where("mch_id", "=", key.mchId)
      .where("kind", "=", key.kind)
      .where("subject", "=", key.subject)
      .executeTakeFirst();
    if (!before) return;
    const lines = parseLines(before.lines).map(({ account, fen }) => ({ account: into(account), fen: -fen }));
    await this.post(trx, { ...key, orderId: before.order_id ?? undefined, ...as, lines });
  }

  /** Fen of an order that are frozen. @param from a transaction whose own postings count */
  async frozenBy(orderId: number, from: Kysely<BookTables> | Transaction<BookTables> = this.#deps.db): Promise<number> {
    const rows = await from.selectFrom("pay_postings").select("lines").where("order_id", "=", orderId).execute();
    const lines = rows.flatMap((row) => parseLines(row.lines));
    return lines.reduce((sum, { account, fen }) => (account.startsWith("frozen:") ? sum + fen : sum), 0);
  }

  /** Fen in an account. @param from a transaction whose own postings count */
  async balance(account: Account, from: Kysely<BookTables> = this.#deps.db): Promise<number> {
    const row = await from.selectFrom("pay_accounts").select("fen").where("account", "=", account).executeTakeFirst();
    return row?.fen ?? 0;
  }

  /** Removes all postings of an order that never was, such as one of a receiver check. Use it inside a grouped write. */
  async forget(orderId: number): Promise<void> {
    const { db, writes } = this.#deps;
    const ofOrder = db.selectFrom("pay_postings").select("lines").where("order_id", "=", orderId);
    const rows = await writes.run(ofOrder);
    const lines = rows.flatMap((row) => parseLines(row.lines).map(({ account, fen }) => ({ account, fen: -fen })));
    await this.#addToAccounts(this.#runInWrite, lines);
    await writes.run(db.deleteFrom("pay_postings").where("order_id", "=", orderId));
  }

  async #post(run: Run, posting: Posting): Promise<void> {
    const { kind, mchId, subject, orderId, lines, at = this.#deps.now(), charges = [] } = posting;
    const sum = lines.reduce((total, { fen }) => total + fen, 0);
    if (sum !== 0 || !lines.every(({ fen }) => Number.isSafeInteger(fen)))
      throw new Error(`the posting ${kind} ${subject} adds up to ${String(sum)} fen: ${encodeLines(lines)}`);
    for (const charge of charges) if (charge.fen !== 0) await this.#charge(run, charge);
    const row = { at, kind, mch_id: mchId, subject, order_id: orderId ?? null, lines: encodeLines(lines) };
    await run("post", () => this.#inserting(), row);
    await this.#addToAccounts(run, lines);
  }

  async #charge(run: Run, { mchId, fen }: Charge): Promise<void> {
    const [row] = await run("charge", () => this.#charging(), { mchId, fen });
    if (row && fen > 0 && row.fen < 0) throw refusal("NOTENOUGH");
  }

  async #addToAccounts(run: Run, lines: readonly Line[]): Promise<void> {
    const sums = sumsOf(lines);
    if (sums.length === 0) return;
    const values = Object.fromEntries(sums.flatMap(([account, fen], at) => Object.entries(numbered(at, account, fen))));
    const rows = await run(`add ${String(sums.length)}`, () => this.#adding(sums.length), values);
    const taken = new Set(sums.filter(([, fen]) => fen < 0).map(([account]) => account));
    if (rows.some(({ account, fen }) => fen < 0 && taken.has(account) && !mayOverdraw(account)))
      throw refusal("NOTENOUGH");
  }

  #inserting() {
    const columns = ["at", "kind", "mch_id", "subject", "order_id", "lines"] as const;
    return this.#deps.db.insertInto("pay_postings").values(parameterRow(columns)).compile();
  }

  #charging(): CompiledQuery<{ fen: number }> {
    return this.#deps.db
      .updateTable("pay_balances")
      .set((e) => ({ fen: e("fen", "-", parameter<number>("fen")) }))
      .where("mch_id", "=", parameter<string>("mchId"))
      .returning("fen")
      .compile();
  }

  #adding(count: number): CompiledQuery<AccountRow> {
    const rows = Array.from({ length: count }, (_, at) => ({
      account: parameter<string>(`account${String(at)}`),
      fen: parameter<number>(`fen${String(at)}`),
    }));
    return this.#deps.db
      .insertInto("pay_accounts")
      .values(rows)
      .onConflict((known) =>
        known.column("account").doUpdateSet((e) => ({ fen: e("pay_accounts.fen", "+", e.ref("excluded.fen")) })),
      )
      .returning(["account", "fen"])
      .compile();
  }

  #runIn(trx: Transaction<BookTables>): Run {
    return async <Row>(statement: string, compile: () => CompiledQuery<Row>, values: Values) => {
      const compiled = (this.#compiled.get(statement) ?? compile()) as CompiledQuery<Row>;
      this.#compiled.set(statement, compiled);
      return (await trx.executeQuery<Row>({ ...compiled, parameters: boundParameters(compiled, values) })).rows;
    };
  }

  readonly #runInWrite: Run = <Row>(statement: string, compile: () => CompiledQuery<Row>, values: Values) => {
    const known = this.#prepared.get(statement) ?? this.#deps.writes.prepare({ compile });
    this.#prepared.set(statement, known);
    return (known as Statement<Row>)(values);
  };
}

const numbered = (at: number, account: string, fen: number) => ({
  [`account${String(at)}`]: account,
  [`fen${String(at)}`]: fen,
});
