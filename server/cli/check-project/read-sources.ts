/** Reads the sources of a program. It runs nothing, follows no links, and stops at fixed limits. */
import { opendir, readFile, stat } from "node:fs/promises";
import { extname, join, relative } from "node:path";
import { decodeText } from "../../file-system/decode-text.ts";

export interface ProgramFile {
  /** Relative to the folder, with `/`. */
  readonly file: string;
  readonly text: string;
}

export interface SourceLimits {
  readonly files: number;
  readonly bytes: number;
  /** The largest file that is read. */
  readonly fileBytes: number;
  readonly ms: number;
}
export const usualLimits: SourceLimits = { files: 20_000, bytes: 200_000_000, fileBytes: 2_000_000, ms: 60_000 };

const extensions = new Set([
  ...[".js", ".cjs", ".mjs", ".jsx", ".ts", ".cts", ".mts", ".tsx"],
  ...[".java", ".go", ".php", ".py"],
]);
/** Where the names of the packages stand that a program uses. */
const manifests = new Set([
  ...["package.json", "composer.json", "go.mod", "pom.xml", "build.gradle", "build.gradle.kts"],
  ...["requirements.txt", "pyproject.toml", "setup.py", "Pipfile"],
]);
/** Packages of others, and tests, whose calls the program itself does not make. */
const skipped = new Set([
  ...["node_modules", "vendor", "venv", "site-packages", "__pycache__", "target"],
  ...["test", "tests", "_test", "__tests__", "testdata", "spec"],
]);

const isWanted = (name: string) =>
  manifests.has(name) || (extensions.has(extname(name)) && !/(?:^|[._])(?:test|spec|d)[.]\w+$/.test(name));

async function* filesBelow(folder: string): AsyncGenerator<string> {
  for await (const entry of await opendir(folder)) {
    if (entry.isDirectory() && !entry.name.startsWith(".") && !skipped.has(entry.name))
      yield* filesBelow(join(folder, entry.name));
    else if (entry.isFile() && isWanted(entry.name)) yield join(folder, entry.name);
  }
}

/** @returns the sources, and whether a limit has left some out */
export async function readSources(
  folder: string,
  limits = usualLimits,
): Promise<{ readonly sources: readonly ProgramFile[]; readonly cut: boolean }> {
  const sources: ProgramFile[] = [];
  const deadline = performance.now() + limits.ms;
  let bytes = 0;
  let cut = false;
  for await (const path of filesBelow(folder)) {
    const { size } = await stat(path);
    if (size > limits.fileBytes) {
      cut = true;
      continue;
    }
    bytes += size;
    if (sources.length >= limits.files || bytes > limits.bytes || performance.now() > deadline)
      return { sources, cut: true };
    sources.push({
      file: relative(folder, path).replaceAll("\\", "/"),
      text: decodeText(await readFile(path), { lenient: true }),
    });
  }
  return { sources, cut };
}
