/** The least that a durable write costs: one row, a commit for those of one turn, and a wait for the disk that all share. */
import { fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";
import { Sqlite } from "../../server/store/native-sqlite.ts";

const synced = promisify(fdatasync);

/** Resolves once a text is on the disk. */
export type WriteText = (text: string) => Promise<void>;

/** @param file of a new database */
export function openBareWrites(file: string): WriteText {
  const sqlite = new Sqlite(file);
  sqlite.useJournal("full");
  sqlite.exec("create table texts (id integer primary key, text)");
  const insert = sqlite.prepare("insert into texts (text) values (?)");
  const journal = openSync(`${file}-wal`, "r+");
  let waiting: string[] = [];
  let committed: Promise<void> | undefined;
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  function sync(): Promise<void> {
    next = undefined;
    return (running = synced(journal));
  }

  async function commit(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    const texts = waiting;
    waiting = [];
    committed = undefined;
    sqlite.transaction(() => {
      for (const text of texts) insert.run([text]);
    })();
    await (next ??= running.then(sync));
  }

  return (text) => {
    waiting.push(text);
    return (committed ??= commit());
  };
}
