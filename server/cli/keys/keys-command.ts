/** `hearth keys`: keys from a terminal, whether Hearth runs or not. */
import type { z } from "zod";
import {
  hideKeys,
  mostDays,
  mostOfLimit,
  newKeySchema,
  type AccessKey,
  type NewKey,
} from "../../contract/process/access-keys.ts";
import { KeyFileError, openKeyFile, type KeyFile } from "../../process/keys/key-file.ts";
import { SettingsError } from "../../process/settings/read-settings.ts";
import { outputWritten, printable, printLine } from "../../process/terminal/print-text.ts";
import { prepareDataDir } from "../../supervisor/data-directory/prepare-data-dir.ts";
import { RunError } from "../../supervisor/run-error.ts";
import { settingsBy, type CommandContext } from "../command.ts";
import { findHearths, onlyOne } from "../find-hearth.ts";
import type { AddKeyInput, listKeysInput, removeKeyInput } from "./keys-inputs.ts";

type Context = Pick<CommandContext, "env" | "cwd">;

const dayMs = 24 * 60 * 60 * 1_000;

/** @throws SettingsError */
function numberIn(flag: string, text: string | undefined, most = mostOfLimit): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!(Number.isInteger(number) && number >= 1 && number <= most))
    throw new SettingsError(`--${flag} must be a whole number from 1 to ${String(most)}`);
  return number;
}

/** @throws SettingsError */
function newKeyOf({ name, scopes = "model:use", ...input }: AddKeyInput) {
  const days = numberIn("days", input.days, mostDays);
  const parsed = newKeySchema.safeParse({
    name,
    scopes: scopes.split(","),
    limits: {
      requests_per_minute: numberIn("per-minute", input.per_minute),
      concurrent_requests: numberIn("concurrent", input.concurrent),
      tokens_per_day: numberIn("tokens-per-day", input.tokens_per_day),
    },
    ...(days !== undefined && { expires_at: new Date(Date.now() + days * dayMs).toISOString() }),
  });
  if (parsed.success) return parsed.data;
  const isScope = parsed.error.issues.some(({ path }) => path[0] === "scopes");
  throw new SettingsError(
    isScope ? "--scopes accepts model:use, model:manage, control, metrics:read" : "NAME must have 1 to 64 characters",
  );
}

function printKeys(keys: readonly AccessKey[]): void {
  if (keys.length === 0) printLine("No keys yet. Create one with `hearth keys add NAME`.");
  for (const { id, name, scopes, limits, expires_at, made_by } of keys) {
    const limited = Object.entries(limits).map(([limit, value]) => `${limit}=${String(value)}`);
    const until = expires_at === undefined ? [] : [`until ${expires_at}`];
    const maker = made_by === undefined ? [] : [`created by ${made_by}`];
    printLine([id, printable(name), scopes.join(","), ...limited, ...until, ...maker].join("  "));
  }
}

async function add(file: KeyFile, wanted: NewKey): Promise<void> {
  const { key, secret } = await file.add(wanted);
  // On a line of its own, for scripts.
  printLine(secret);
  await outputWritten().catch(async (error: unknown) => {
    // Nobody has seen the key.
    await file.remove(key.id);
    throw error;
  });
  printLine(`key ${key.id}: copy it now, it is not shown again`, process.stderr);
}

/** @throws RunError */
async function remove(file: KeyFile, id: string): Promise<void> {
  const removed = await file.remove(id);
  if (removed.length === 0) throw new RunError(hideKeys(`key ${id} does not exist`));
  const made = removed.length - 1;
  if (made > 0)
    printLine(`also removed ${made === 1 ? "1 key" : `${String(made)} keys`} that this key created`, process.stderr);
}

interface FileOwner {
  readonly dataDir: string;
  readonly isRunning: boolean;
}

/** Changes or reads the keys of the data directory, whether Hearth runs on it or not. @throws RunError */
async function withKeys(
  input: { readonly data_dir?: unknown },
  context: Context,
  use: (file: KeyFile, owner: FileOwner) => void | Promise<void>,
): Promise<number> {
  const { data_dir } = settingsBy(input, ["data_dir"], context);
  const running = await findHearths(data_dir, context.env);
  const dataDir = running.length === 0 ? data_dir : onlyOne(running, data_dir).dataDir;
  try {
    await use(openKeyFile(dataDir), { dataDir, isRunning: running.length > 0 });
  } catch (error) {
    throw error instanceof KeyFileError ? new RunError(error.message) : error;
  }
  return 0;
}

export const showKeys = (input: z.output<typeof listKeysInput>, context: Context): Promise<number> =>
  withKeys(input, context, (file) => printKeys(file.list()));

/** @throws SettingsError, RunError */
export async function addKey(input: AddKeyInput, context: Context): Promise<number> {
  const key = newKeyOf(input);
  return withKeys(input, context, async (file, { dataDir, isRunning }) => {
    if (!isRunning) prepareDataDir({ data_dir: dataDir });
    await add(file, key);
  });
}

/** @throws RunError */
export const removeKey = (input: z.output<typeof removeKeyInput>, context: Context): Promise<number> =>
  withKeys(input, context, (file) => remove(file, input.id));
