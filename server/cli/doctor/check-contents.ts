/** Checks of the stored data: databases, uploads, models. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { UploadsInspection } from "../../app/uploads/inspect-uploads.ts";
import { withoutPassword } from "../../contract/process/database-url.ts";
import type { Bounds } from "../../file-system/bounded-file.ts";
import type { InstalledModel } from "../../model/models/library/installed-model.ts";
import { inspectStore } from "../../model/models/library/inspect-store.ts";
import { OtherKindError } from "../../model/models/library/gguf/gguf-values.ts";
import { createPlainFiles, isModelFile, withNames } from "../../model/models/library/plain-file.ts";
import { shortName } from "../../model/models/library/model-name.ts";
import { openStore, type Store } from "../../model/models/library/store.ts";
import { createStoredModels } from "../../model/models/library/stored-model.ts";
import { keptBytes } from "../../process/prompt-cache-files.ts";
import { boundsOf } from "../../process/settings/read-settings.ts";
import { byteText } from "../../process/terminal/byte-text.ts";
import { tryModel } from "../../supervisor/processes/try-model.ts";
import { askInspector } from "./ask-inspector.ts";
import { findings, type DoctorCheck, type DoctorContext, type Finding } from "./check.ts";

const databases = { "hearth.db": "app", "provider.db": "provider", "requests.db": "none" } as const;

/** The limit of the journal, which grows while a database is read and a Hearth writes. */
const mostJournalBytes = 64_000_000;
const pollIntervalMs = 250;

const journalBytes = (file: string) => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;

/** Aborts when the journal has grown too much. */
function journalGuard(file: string): { signal: AbortSignal } & Disposable {
  const grown = new AbortController();
  const before = journalBytes(file);
  const timer = setInterval(() => {
    if (journalBytes(file) - before > mostJournalBytes) grown.abort();
  }, pollIntervalMs);
  return { signal: grown.signal, [Symbol.dispose]: () => clearInterval(timer) };
}

async function databaseFinding(name: keyof typeof databases, context: DoctorContext): Promise<Finding> {
  const { ok, warning, problem } = findings(name);
  const { fork, settings, inUse, signal } = context;
  const file = join(settings.data_dir, name);
  if (!existsSync(file)) return ok("does not exist yet: a start creates it");
  context.onProgress(`reading ${byteText(statSync(file).size)}`);
  using guard = journalGuard(file);
  try {
    const task = { type: "database", file, inUse, tables: databases[name] } as const;
    const pending = await askInspector<number>(task, { fork, signal: AbortSignal.any([signal, guard.signal]) });
    const size = byteText(statSync(file).size);
    return ok(
      pending === 0
        ? `${size}, intact`
        : `${size}, intact; the next start updates its tables (${String(pending)} steps)`,
    );
  } catch (error) {
    signal.throwIfAborted();
    if (guard.signal.aborted) return warning("changed too often to check: stop Hearth, then run doctor again");
    return problem((error as Error).message);
  }
}

export const checkStoredDatabases: DoctorCheck = async function* (context) {
  const { database_url: url } = context.settings;
  if (url !== undefined)
    yield findings("database_url").ok(
      `${withoutPassword(url)} is not checked here: run pg_amcheck on the PostgreSQL machine`,
    );
  for (const name of Object.keys(databases) as (keyof typeof databases)[])
    if (url === undefined || databases[name] === "none") yield databaseFinding(name, context);
};

const some = 3;
const listed = (all: readonly string[]) =>
  all.slice(0, some).join(", ") + (all.length > some ? ` and ${String(all.length - some)} more` : "");

const unread = (reads: boolean) => (reads ? "" : " (content not checked: --quick)");

export const checkStoredUploads: DoctorCheck = async function* ({ fork, settings, inUse, reads, signal, onProgress }) {
  const { ok, warning, problem } = findings("uploads");
  const { data_dir, database_url, uploads_bucket: bucket } = settings;
  if (database_url !== undefined) {
    yield ok("listed in PostgreSQL: each start compares them");
    return;
  }
  const place = bucket === undefined ? join(data_dir, "uploads") : `s3://${bucket}`;
  const file = join(data_dir, "hearth.db");
  if (!existsSync(file)) {
    yield ok("none yet");
    return;
  }
  let found: UploadsInspection;
  try {
    found = await askInspector<UploadsInspection>(
      { type: "uploads", file, inUse, settings, reads },
      { fork, signal, onProgress: (done, total) => onProgress(`${String(done)} of ${String(total)}`) },
    );
  } catch (error) {
    signal.throwIfAborted();
    yield problem(`cannot be read: ${(error as Error).message}`);
    return;
  }
  const { named, lost, damaged, unnamed } = found;
  if (lost.length > 0)
    yield problem(
      `${String(lost.length)} files are missing in ${place} (${listed(lost)}): put them back or upload them again; until then they return 404, content_lost`,
    );
  if (damaged.length > 0)
    yield problem(
      `${String(damaged.length)} files are damaged: upload them again, or put copies back (${listed(damaged)})`,
    );
  if (unnamed > 0)
    yield warning(
      `${String(unnamed)} files belong to no upload: the next start moves them to ${place}/orphans and deletes none`,
    );
  if (lost.length + damaged.length === 0)
    yield ok(
      `${String(named)} files found${bucket === undefined ? unread(reads) : ` (${place}, content not checked)`}`,
    );
};

/** The reason why a model cannot run: by its header, or by a trial of the engine. */
async function unrunnable(model: InstalledModel, { fork, reads, signal }: DoctorContext): Promise<string | undefined> {
  if (model.unrunnable !== undefined || !reads || model.path === "") return model.unrunnable;
  return tryModel(model.path, { fork, signal });
}

/** Models of the store that are whole, but cannot run. */
async function* unrunnableIn(store: Store, context: DoctorContext): AsyncGenerator<Finding> {
  const stored = createStoredModels(store, () => undefined);
  for (const name of await store.names()) {
    const model = await stored.inspect(name);
    const reason = model && (await unrunnable(model, context));
    if (reason !== undefined) yield findings("models").problem(`${shortName(name.name)} cannot be run: ${reason}`);
  }
}

async function* storeFindings(dir: string, bounds: Bounds, context: DoctorContext): AsyncGenerator<Finding> {
  const { reads, signal, onProgress } = context;
  const { ok, problem } = findings("models");
  try {
    const store = openStore(dir, bounds);
    const { models, problems, unnamed } = await inspectStore(store, {
      reads,
      signal,
      onProgress: (done, total) => onProgress(`${byteText(done)} of ${byteText(total)}`),
    });
    for (const one of problems) yield problem(`${one}: pull or create it again`);
    yield* unrunnableIn(store, context);
    if (unnamed > 0)
      yield ok(`${String(unnamed)} files in ${dir}/blobs belong to no model: a later start removes them`);
    if (problems.length > 0) return;
    if (models === 0) yield ok("none pulled or created yet");
    else yield ok(`${String(models)} pulled or created, all complete${unread(reads)}`);
  } catch (error) {
    signal.throwIfAborted();
    yield problem(`${dir} cannot be read: ${(error as Error).message}`);
  }
}

const oneMegabyte = 1024 * 1024;

/** The size of the kept states of prompts. */
export const checkPromptCache: DoctorCheck = async function* ({ settings: { data_dir, prompt_cache_mb } }) {
  const { ok } = findings("prompt cache");
  yield prompt_cache_mb === 0
    ? ok("off (prompt_cache_mb)")
    : ok(`${byteText(keptBytes(data_dir))} of ${byteText(prompt_cache_mb * oneMegabyte)} used`);
};

/** Models of Hearth's own store, and GGUF files next to it. Ollama checks its own store. */
export const checkModels: DoctorCheck = async function* (context) {
  const { ok, problem } = findings("models");
  const dir = join(context.settings.data_dir, "models");
  const bounds = boundsOf("data_dir", context.origins, dir);
  yield* storeFindings(dir, bounds, context);
  const found: Finding[] = [];
  const plain = createPlainFiles((path, error) => {
    const finding = error instanceof OtherKindError ? ok : problem;
    found.push(finding(`${path} is not served: ${error.message}`));
  });
  const files = existsSync(dir) ? readdirSync(dir).filter(isModelFile) : [];
  const own = files.map((name) => ({ path: join(dir, name), parameters: {}, bounds }));
  const named = [context.settings.model ?? []].flat();
  const others = named.map((path) => ({ path, parameters: {}, bounds: boundsOf("model", context.origins) }));
  for (const file of withNames([...own, ...others])) {
    if (statSync(file.path, { throwIfNoEntry: false })?.isDirectory()) continue;
    const model = await plain.inspect(file);
    const reason = model && (await unrunnable(model, context));
    if (reason !== undefined) found.push(problem(`${file.path} cannot be run: ${reason}`));
  }
  yield* found;
};
