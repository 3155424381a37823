/** The state of the code of routes: one JSON object, in the database. Resets and fixtures know it as part of `records`. */
import type { Database, Migrations } from "../../store/database.ts";

interface CodeStateTable {
  id: number;
  /** JSON. */
  state: string;
}
export interface CodeTables {
  code_state: CodeStateTable;
}

export const codeMigrations: Migrations = {
  "016_code_state": {
    async up(db) {
      await db.schema
        .createTable("code_state")
        .addColumn("id", "integer", (c) => c.primaryKey())
        .addColumn("state", "text", (c) => c.notNull())
        .execute();
    },
  },
};

const id = 1;

/** Stores the newest state. Texts that come while one is being written share the next write. */
export class CodeState {
  /** JSON. */
  text = "{}";
  readonly #database: Database<CodeTables>;
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(database: Database<CodeTables>) {
    this.#database = database;
  }

  /** Reads what is stored, after a start, a reset or a loaded fixture. */
  async read(): Promise<void> {
    const row = await this.#database.db.selectFrom("code_state").select("state").executeTakeFirst();
    this.text = row?.state ?? "{}";
  }

  /** Resolves once this text, or a newer one, is stored. */
  keep(text: string): Promise<void> {
    this.text = text;
    return (this.#next ??= this.#writeNext());
  }

  async #writeNext(): Promise<void> {
    await this.#writing.catch(() => undefined);
    this.#next = undefined;
    this.#writing = this.#write(this.text);
    return this.#writing;
  }

  async #write(state: string): Promise<void> {
    const { db, writes } = this.#database;
    await writes.write(() =>
      writes.run(
        db
          .insertInto("code_state")
          .values({ id, state })
          .onConflict((conflict) => conflict.column("id").doUpdateSet({ state })),
      ),
    );
  }
}
