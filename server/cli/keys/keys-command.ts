/** `hearth keys`: keys from a terminal, whether Hearth runs or not. */
import {
  hideKeys,
  mostDays,
  mostOfLimit,
  newKeySchema,
  type AccessKey,
  type NewKey,
} from "../../contract/process/access-keys.ts";
import { KeyFileError, openKeyFile, type KeyFile } from "../../process/keys/key-file.ts";
import { parseFlags, resolveSettings, SettingsError } from "../../process/settings/read-settings.ts";
import { outputWritten, printable, printLine } from "../../process/terminal/print-text.ts";
import { prepareDataDir } from "../../supervisor/data-directory/prepare-data-dir.ts";
import { RunError } from "../../supervisor/run-error.ts";
import { findHearths, onlyOne } from "../find-hearth.ts";
import { refuseUnused } from "../unused-flags.ts";

export const keysHelp = `Usage: hearth keys                     list the keys by which other machines use the model service and control Hearth
       hearth keys add NAME [--scopes LIST] [limits] [--days N]
                                       make a key, and print it: it is shown this once
       hearth keys remove ID           remove a key, and all keys and logins that were made with it

  --scopes LIST           what it is good for, separated by commas; default model:use
                          model:use     ask models, list them
                          model:manage  pull, create, copy and delete them
                          control       all that the console's token may
                          metrics:read  GET /metrics
  --per-minute N          the most requests within a minute
  --concurrent N          the most requests at a time
  --tokens-per-day N      the most tokens of prompts and answers of models within a day (UTC)
  --days N                how long it lasts; default for ever
  --data-dir DIR          as for hearth serve

A running Hearth takes changes over at once. Who must send a key: setting require_keys.
`;

const text = { type: "string" } as const;
const ofAdd = { scopes: text, "per-minute": text, concurrent: text, "tokens-per-day": text, days: text };
const dayMs = 24 * 60 * 60 * 1_000;

/** @throws SettingsError */
function numberIn(flag: keyof typeof ofAdd, text: string | undefined, most = mostOfLimit): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!(Number.isInteger(number) && number >= 1 && number <= most))
    throw new SettingsError(`--${flag} takes a whole number from 1 to ${String(most)}`);
  return number;
}

/** @throws SettingsError */
function wantedKey(name: string, own: Readonly<Partial<Record<string, string>>>) {
  const days = numberIn("days", own["days"], mostDays);
  const parsed = newKeySchema.safeParse({
    name,
    scopes: (own["scopes"] ?? "model:use").split(","),
    limits: {
      requests_per_minute: numberIn("per-minute", own["per-minute"]),
      concurrent_requests: numberIn("concurrent", own["concurrent"]),
      tokens_per_day: numberIn("tokens-per-day", own["tokens-per-day"]),
    },
    ...(days !== undefined && { expires_at: new Date(Date.now() + days * dayMs).toISOString() }),
  });
  if (parsed.success) return parsed.data;
  const isScope = parsed.error.issues.some(({ path }) => path[0] === "scopes");
  throw new SettingsError(
    isScope ? "--scopes takes model:use, model:manage, control, metrics:read" : "NAME has 1 to 64 characters",
  );
}

function printKeys(keys: readonly AccessKey[]): void {
  if (keys.length === 0) printLine("There are no keys; `hearth keys add NAME` makes one.");
  for (const { id, name, scopes, limits, expires_at, made_by } of keys) {
    const limited = Object.entries(limits).map(([limit, value]) => `${limit}=${String(value)}`);
    const until = expires_at === undefined ? [] : [`until ${expires_at}`];
    const maker = made_by === undefined ? [] : [`made with ${made_by}`];
    printLine([id, printable(name), scopes.join(","), ...limited, ...until, ...maker].join("  "));
  }
}

async function add(file: KeyFile, wanted: NewKey): Promise<void> {
  const { key, secret } = await file.add(wanted);
  // On its own, so that a script can take it.
  printLine(secret);
  await outputWritten().catch(async (error: unknown) => {
    // Nobody has it.
    await file.remove(key.id);
    throw error;
  });
  printLine(`key ${key.id}: it is shown this once`, process.stderr);
}

/** @throws RunError */
async function remove(file: KeyFile, id: string): Promise<void> {
  const removed = await file.remove(id);
  if (removed.length === 0) throw new RunError(hideKeys(`there is no key ${id}`));
  const made = removed.length - 1;
  if (made > 0)
    printLine(
      `${made === 1 ? "1 key was" : `${String(made)} keys were`} made with it, and removed, too`,
      process.stderr,
    );
}

/** @throws SettingsError, RunError */
export async function keysCommand(argv: readonly string[], env: NodeJS.ProcessEnv, cwd: string): Promise<number> {
  const { own, values, positionals } = parseFlags(argv, {
    own: ofAdd,
    settings: ["data_dir"],
    most: 2,
  });
  const [action = "list", argument] = positionals;
  if (!["list", "add", "remove"].includes(action))
    throw new SettingsError(`unknown action ${action}; --help lists them`);
  refuseUnused(own, { add: Object.keys(ofAdd) }, action);
  if ((action === "list") !== (argument === undefined))
    throw new SettingsError(
      action === "list"
        ? `unexpected argument ${argument ?? ""}`
        : `${action} needs ${action === "add" ? "a name" : "an id"}`,
    );
  const { data_dir } = resolveSettings(values, env, cwd);
  const running = await findHearths(data_dir, env);
  const file = openKeyFile(running.length === 0 ? data_dir : onlyOne(running, data_dir).dataDir);
  if (action === "add" && running.length === 0) prepareDataDir({ data_dir });
  try {
    if (action === "add") await add(file, wantedKey(argument ?? "", own));
    else if (action === "list") printKeys(file.list());
    else await remove(file, argument ?? "");
  } catch (error) {
    throw error instanceof KeyFileError ? new RunError(error.message) : error;
  }
  return 0;
}
