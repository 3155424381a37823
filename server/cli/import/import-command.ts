/** `hearth import`: an OpenAPI document becomes an API that Hearth serves. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { operationsOf, type FoundOperations } from "../../app/imported/operations.ts";
import { DocumentProblem, mostDocumentBytes, readDocument } from "../../app/imported/read-document.ts";
import { hideCredentials } from "../../contract/process/hide-credentials.ts";
import { wayWithin } from "../../file-system/compare-paths.ts";
import { hiddenBy } from "../../http/user-routes/user-paths.ts";
import { printLine } from "../../process/terminal/print-text.ts";
import { RunError } from "../../supervisor/run-error.ts";
import { settingsBy, type CommandContext } from "../command.ts";
import type { ImportInput } from "./import-input.ts";

const answerWithinMs = 30_000;

const isAddress = (source: string) => /^https?:\/\//i.test(source);

/** @throws RunError */
async function fetchText(address: string): Promise<string> {
  const shown = hideCredentials(address);
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(answerWithinMs) });
    if (!response.ok) throw new Error(`the status is ${String(response.status)}`);
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > mostDocumentBytes) throw new Error("it is too long");
    }
    return Buffer.concat(chunks).toString("utf8");
  } catch (error) {
    throw new RunError(`${shown} cannot be read: ${hideCredentials((error as Error).message)}`);
  }
}

function readText(file: string): string {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) throw new RunError(`${file} is not a file`);
  if (statSync(file).size > mostDocumentBytes) throw new RunError(`${file} is too long`);
  return readFileSync(file, "utf8");
}

/** `https://example.com/v1/pets.yaml?x` → `pets`. */
function nameOf(source: string): string {
  const path = isAddress(source) ? new URL(source).pathname : source;
  const plain = basename(path)
    .replace(/\.(?:json|ya?ml)$/i, "")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[.-]+/, "");
  return plain === "" ? "api" : plain;
}

function report({ operations, skipped }: FoundOperations): void {
  for (const { method, path } of operations) {
    const hidden = hiddenBy({ method: method as "GET", path }, []);
    printLine(
      `${hidden === undefined ? "route  " : "hidden "} ${method} ${path}${hidden === undefined ? "" : `: ${hidden}`}`,
    );
  }
  for (const { name, why } of skipped) printLine(`skipped ${name}: ${why}`);
}

/** Writes the file unless one with other text is there. @throws RunError */
function writeDocument(file: string, text: string, mayReplace: boolean): string {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true });
  // A clone may contain a link to any file of the user.
  if (wayWithin(dirname(folder), file) === undefined)
    throw new RunError(`${file} is not written: a link leads out of its folder`);
  if (existsSync(file)) {
    if (readFileSync(file, "utf8") === text) return `kept ${file}`;
    if (!mayReplace)
      throw new RunError(`${file} is already there and differs: replace it with --yes, or name another with --name`);
  }
  writeFileSync(file, text);
  return `wrote ${file}`;
}

export async function importDocument(input: ImportInput, context: CommandContext): Promise<number> {
  const { source, name = nameOf(source), yes = false, dry_run: isDry = false } = input;
  if (!/^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(name)) throw new RunError(`--name: ${name} cannot be the name of a file`);
  const settings = settingsBy(input, ["collections_dir", "data_dir"], context);
  const collections = settings.collections_dir ?? join(settings.data_dir, "collections");
  const text = isAddress(source) ? await fetchText(source) : readText(resolve(context.cwd, source));
  const document = await readDocument(text).catch((error: unknown) => {
    if (!(error instanceof DocumentProblem)) throw error;
    throw new RunError(`${hideCredentials(source)}: ${error.message}`);
  });
  const file = join(dirname(collections), "apis", `${name}.json`);
  const found = operationsOf(document);
  const done = isDry ? undefined : writeDocument(file, `${JSON.stringify(document, null, 2)}\n`, yes);
  report(found);
  printLine(done ?? `would write ${file}`);
  return 0;
}
