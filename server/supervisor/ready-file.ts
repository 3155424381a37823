/** The file that tells other programs where a run answers. */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface ReadyFileContent {
  app: string;
  provider: string;
  /** An external Ollama's address when that is used; null while the model service is down. */
  model: string | null;
  /** With the run's token. */
  console: string;
  pid: number;
}

/** Written whole or not at all: a reader never sees half of it. Only its owner may read the token in it. */
export function writeReadyFile(file: string, content: ReadyFileContent): void {
  const draft = join(dirname(file), `.${process.pid}.ready`);
  try {
    writeFileSync(draft, `${JSON.stringify(content)}\n`, { mode: 0o600 });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
