import type { z } from "zod";

export type StateRow = Readonly<Record<string, unknown>>;

/** A part of a service's state that can be saved, brought back and cleared, all or nothing together with the others. */
export interface StatePart {
  /** As the document names it. */
  readonly name: string;
  /**
   * The tables that hold it, each with what a row of it must be. What is referred to comes first; the first one's rows are
   * what a person counts.
   */
  readonly tables: Readonly<Record<string, z.ZodType<StateRow>>>;
  /** Tables of what is too short-lived to be saved, such as codes: emptied whenever the part is written. */
  readonly shortLived?: readonly string[];
  /** A row as it has to be so many ms after it was saved. */
  readonly aged?: (table: string, row: StateRow, ms: number) => StateRow;
  /** A row as it has to be where somebody on another machine has sent it, from this address (empty: not known). */
  readonly askedFrom?: (row: StateRow, from: string) => StateRow;
  /** Called when the tables have been written: what is kept in memory beside them is out of date. */
  readonly reload?: () => Promise<unknown>;
}
