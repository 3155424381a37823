import type { z } from "zod";

export type StateRow = Readonly<Record<string, unknown>>;

/** A part of a service's state that can be saved, loaded and cleared in one transaction with the others. */
export interface StatePart {
  /** Its name in the document. */
  readonly name: string;
  /**
   * Its tables, each with the schema of a row. Referenced tables come first. The count of the part is the number of
   * rows in the first table.
   */
  readonly tables: Readonly<Record<string, z.ZodType<StateRow>>>;
  /**
   * Tables of data that is too short-lived to be saved, such as codes. They are emptied whenever the part is written.
   */
  readonly shortLived?: readonly string[];
  /** Changes a row that is loaded `ms` after it was saved. */
  readonly aged?: (table: string, row: StateRow, ms: number) => StateRow;
  /** Adapts a row that another machine sent from this address (empty: unknown). */
  readonly askedFrom?: (row: StateRow, from: string) => StateRow;
  /** Called before the tables are written, to wait a moment for unfinished work on rows that will be removed. */
  readonly settle?: () => Promise<unknown>;
  /** Called after the tables were written, to drop cached data. */
  readonly reload?: () => Promise<unknown>;
}

/** The tables of a part of the state. */
export interface PartTables {
  /** Referenced tables come first. The count of a part is the number of rows in the first table. */
  readonly tables: readonly string[];
  /** Column with the hash of an uploaded content. */
  readonly blobColumn?: string;
  /** Changes a row that is loaded `ms` after it was saved. */
  readonly aged?: (row: StateRow, ms: number) => StateRow;
}
