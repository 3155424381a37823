/**
 * The disk under a life: SQLite files of their own, which lose power between two statements when a life says so. The
 * committed transactions stay, the open one is lost, and nothing of the dead process writes any more.
 */
import { DatabaseSync, StatementSync } from "node:sqlite";
import { dropTimers, noteActivity } from "./simulated-process.ts";

/** The process has died. */
export class Crashed extends Error {
  override readonly name = "Crashed";
}

const opened = new Set<DatabaseSync>();
/** Statements that may write before the crash; undefined: none is near. */
let remaining: number | undefined;
let isDead = false;
let writes = 0;
/** When a table may last have been written to, by names; and when any table may have. */
const writtenAt = new Map<string, number>();
let allWrittenAt = 0;

export const crashState = {
  isDead: (): boolean => isDead,
  /** Statements that may have written, so far. */
  writes: (): number => writes,
  /** Another number after each statement that may have written to the table. */
  version: (table: string): number => Math.max(allWrittenAt, writtenAt.get(table) ?? 0),
};

/** Crashes before the statement after the next `statements` ones that may write. */
export const crashAfter = (statements: number): void => void (remaining = statements);
export const cancelCrash = (): void => void (remaining = undefined);

/** Does some work whose statements bring no crash nearer. */
export async function withoutCrash(work: () => Promise<unknown>): Promise<void> {
  const before = remaining;
  remaining = undefined;
  await work();
  remaining = before;
}

/** Loses what is not committed. The next database that is opened is of a new process. */
export function losePower(): void {
  remaining = undefined;
  isDead = true;
  dropTimers();
  for (const database of opened) {
    if (!database.isOpen) continue;
    if (database.isTransaction) execute.call(database, "rollback");
    database.close();
  }
  opened.clear();
}

export function beginProcess(): void {
  isDead = false;
  allWrittenAt = ++writes;
}

// oxlint-disable-next-line typescript/unbound-method -- called with the database below
const { prepare, exec: execute } = DatabaseSync.prototype;
// oxlint-disable-next-line typescript/unbound-method -- called with the statement below
const own = { all: StatementSync.prototype.all, run: StatementSync.prototype.run };
/** The table that a statement writes to; an empty text where it may be any, as deletions and rollbacks do. */
const writing = new WeakMap<StatementSync, string>();

function writtenBy(text: string): string {
  const [, table = "none"] = /^\s*(?:(?:insert (?:or \w+ )?into|update)\s+"?(\w+)|begin|commit)/i.exec(text) ?? [
    "",
    "",
  ];
  return table;
}

function noteWrite(table: string): void {
  writes++;
  if (table === "") allWrittenAt = writes;
  else writtenAt.set(table, writes);
}

function beforeStatement(table: string | undefined): void {
  noteActivity();
  if (isDead) throw new Crashed("the process is dead");
  if (table !== undefined) noteWrite(table);
  if (table === undefined || remaining === undefined || remaining-- > 0) return;
  losePower();
  throw new Crashed("the process has died");
}

DatabaseSync.prototype.prepare = function prepareNoted(this: DatabaseSync, text, ...rest) {
  opened.add(this);
  const statement = prepare.call(this, text, ...rest);
  if (!/^\s*(?:select|pragma)\b/i.test(text)) writing.set(statement, writtenBy(text));
  return statement;
};
StatementSync.prototype.all = function allNoted(this: StatementSync, ...values: never[]) {
  beforeStatement(writing.get(this));
  return Reflect.apply(own.all, this, values) as never;
};
StatementSync.prototype.run = function runNoted(this: StatementSync, ...values: never[]) {
  beforeStatement(writing.get(this));
  return Reflect.apply(own.run, this, values) as never;
};
