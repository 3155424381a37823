/** Checks databases in a thread, and reports damaged ones. */
import { existsSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import type { Damage } from "../../contract/process/damage.ts";
import { checkDatabase } from "../database-problem.ts";
import { Sqlite } from "../native-sqlite.ts";

for (const file of workerData as readonly string[]) {
  if (!existsSync(file)) continue;
  const sqlite = new Sqlite(file, { readOnly: true });
  try {
    checkDatabase(sqlite);
  } catch (error) {
    const damage: Damage = { file, text: (error as Error).message };
    parentPort?.postMessage(damage);
  } finally {
    sqlite.close();
  }
}
