/**
 * A database as its users see it. Which engine stands behind it is decided where it is opened: nothing here says, and
 * test/unit/store/database-contract.ts is what every engine must pass.
 */
import type { Compilable, Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Migrations by name; they run in the order of their names, each once. */
export type Migrations = Readonly<Record<string, Migration>>;

/** Whether a commit waits for the disk: else a power cut takes the last moments. A crash of the process takes nothing. */
export type Durability = "full" | "normal";

/** An engine that has the answer at hand gives it at once: a promise costs more than many a query. */
export type Awaitable<Value> = Value | Promise<Value>;

/** Rows of a prepared query; parameters in the order in which the query was built. The rows must not be changed. */
export type PreparedRead<Row> = (...parameters: readonly (string | number)[]) => Awaitable<readonly Row[]>;

/** Queries of hot paths: built with Kysely like all others, but compiled once. They never see the inside of a transaction. */
export interface PreparedReads {
  /** The values with which the query was built only stand for the parameters. */
  prepare<Row>(query: Compilable<Row>): PreparedRead<Row>;
}

/** A parameter that gets no value is null. A statement that returns nothing has no rows. */
export type Statement<Row> = (values: Readonly<Record<string, unknown>>) => Awaitable<Row[]>;

/**
 * Writes of hot paths. A commit costs more than the few rows that it writes, so all that are asked for at one moment share
 * one; each is still done or undone as a whole, and is on disk when its promise resolves.
 */
export interface GroupedWrites {
  /**
   * Runs `work` alone with the database. It waits for statements of these writes and for nothing else: all others wait for
   * it. What was asked of the database before comes before it. Nothing of it stays where it throws.
   * @throws UniqueViolation
   */
  write<Value>(work: () => Awaitable<Value>): Promise<Value>;
  /** Compiled once. For use inside of a `write`. */
  prepare<Row>(query: Compilable<Row>): Statement<Row>;
  /** For what happens seldom. For use inside of a `write`. */
  run<Row>(query: Compilable<Row>): Awaitable<Row[]>;
}

export interface Database<Tables> {
  /** Whoever writes by it is answered when the disk has it. @throws UniqueViolation */
  readonly db: Kysely<Tables>;
  readonly reads: PreparedReads;
  readonly writes: GroupedWrites;
  /** What has not been written by then is refused. */
  readonly close: () => Promise<void>;
}

/** A row does not fit what the tables demand: nothing of the statement was done. */
export class ConstraintViolation extends Error {
  override readonly name: string = "ConstraintViolation";
}

/** A value that must be unique is there already. */
export class UniqueViolation extends ConstraintViolation {
  override readonly name = "UniqueViolation";
}
