/**
 * The interface of a database, independent of its engine, which is chosen where it is opened. Every engine must pass
 * test/unit/store/database-contract.ts.
 */
import type { Compilable, Kysely, QueryExecutorProvider } from "kysely";
import type { Migration } from "kysely/migration";

/** Migrations by name; each runs once, in the order of names. */
export type Migrations = Readonly<Record<string, Migration>>;

/**
 * Whether a commit waits for the disk (`full`). Otherwise a power cut loses the last moments (`normal`), or all data
 * (`none`); a crash of the process loses nothing.
 */
export type Durability = "full" | "normal" | "none";

/** A cached result comes without a promise, which would cost more than many a query. */
export type Awaitable<Value> = Value | Promise<Value>;

/** Rows of a prepared query; parameters in the order in which the query was built. The rows must not be changed. */
export type PreparedRead<Row> = (...parameters: readonly (string | number)[]) => Awaitable<readonly Row[]>;

/** Queries of hot paths: built with Kysely, but compiled once. They do not see open transactions. */
export interface PreparedReads {
  /** The values in the built query only stand for the parameters. */
  prepare<Row>(query: Compilable<Row>): PreparedRead<Row>;
  /** Caches what `make` returns for a row, or for a derived value, as long as reads return the same row. */
  readonly derived: <From extends object, To>(make: (from: From) => To) => (from: From) => To;
}

/** A missing parameter is null. A statement without result has no rows. */
export type Statement<Row> = (values: Readonly<Record<string, unknown>>) => Awaitable<Row[]>;

/**
 * Writes of hot paths. A commit costs more than its few rows, so simultaneous writes share one. Each is still atomic,
 * and is on disk when its promise resolves.
 */
export interface GroupedWrites {
  /**
   * Runs `work` with exclusive access to the database, after all earlier calls. It may await only statements of these
   * writes, because all others wait for it. An error undoes all of it.
   * @throws UniqueViolation
   */
  write<Value>(work: () => Awaitable<Value>): Promise<Value>;
  /** Compiled once. Must be called inside of a `write`. */
  prepare<Row>(query: Compilable<Row>): Statement<Row>;
  /** For rare statements. Must be called inside of a `write`. */
  run<Row>(query: Compilable<Row>): Awaitable<Row[]>;
}

/** Notifications and locks between the instances that share a database. */
export interface Instances {
  /** The name of this instance. */
  readonly name: string;
  /** Whether an instance of this name has the database open, or may have. @throws StoreProblem */
  isAlive(name: string): Promise<boolean>;
  /**
   * Notifies the others that something about this topic has changed, once the transaction that changes it is committed.
   * Every commit also notifies the topic `write`.
   */
  notify(topic: string, transaction: QueryExecutorProvider): Promise<void>;
  /** Calls `listen` when another instance has notified this topic, or may have. */
  subscribe(topic: string, listen: () => void): void;
  /** Calls `listen` after an outage of the database, when all instances have had time to connect again. */
  onReturn(listen: () => void): void;
  /**
   * Locks a name; undefined while another instance has it. Callers within an instance must exclude each other themselves.
   * @throws StoreProblem
   */
  take(name: string): Promise<ReleaseLock | undefined>;
  /** Like `take`, but several may share the name at the same time, while nobody has taken it. @throws StoreProblem */
  share(name: string): Promise<ReleaseLock | undefined>;
}

/** Unlocks a name. Never fails. Returns false if the lock was lost earlier, with the connection to the database. */
export type ReleaseLock = () => Promise<boolean>;

export interface Database<Tables> {
  /** Its writes resolve when they are on the disk. @throws UniqueViolation */
  readonly db: Kysely<Tables>;
  readonly reads: PreparedReads;
  readonly writes: GroupedWrites;
  /** Undefined where no other instance can have the database open. */
  readonly instances?: Instances;
  /** Rejects pending writes. */
  readonly close: () => Promise<void>;
}

/** A row violates a constraint; the statement had no effect. */
export class ConstraintViolation extends Error {
  override readonly name: string = "ConstraintViolation";
}

/** A value that must be unique already exists. */
export class UniqueViolation extends ConstraintViolation {
  override readonly name = "UniqueViolation";
}
