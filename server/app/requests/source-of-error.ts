/** Finds where an exception was thrown: the first line of its stack in Hearth's own files, with the lines around it. */
import { readFile } from "node:fs/promises";
import { SourceMap, type SourceMapPayload } from "node:module";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { ErrorSource } from "../../contract/console/traffic/requests.ts";

/** A line of a file; both numbers from 1. */
interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

const around = 3;
/** A longer line is generated code, which helps nobody. */
const longestLine = 500;

/** Reads a line of a stack, `at name (file:line:column)`; the file may be a URL. Undefined for other lines. */
function frameOf(line: string): { place: Place; name: string | undefined } | undefined {
  const text = line.trim();
  const numbers = /:(\d{1,9}):(\d{1,9})\)?$/.exec(text);
  if (!numbers || !text.startsWith("at ")) return undefined;
  const [before, at] = text.slice(3, numbers.index).split(/ \((?=file:\/\/|\/|[A-Za-z]:\\)(.*)/s);
  const file = at ?? before ?? "";
  if (!/^(?:file:\/\/|\/|[A-Za-z]:\\)/.test(file)) return undefined;
  const path = file.startsWith("file:") ? fileURLToPath(file) : file;
  return {
    place: { file: path, line: Number(numbers[1]), column: Number(numbers[2]) },
    name: at === undefined ? undefined : before?.replace(/^async /, ""),
  };
}

const isOwn = (file: string) => !/[\\/]node_modules[\\/]/.test(file);
const read = (file: string) => readFile(file, "utf8").catch(() => undefined);

/** The original place of bundled code. The source map is large and not kept. */
async function openMap(bundle: string) {
  const text = await read(`${bundle}.map`);
  if (text === undefined) return undefined;
  const payload = JSON.parse(text) as SourceMapPayload;
  const map = new SourceMap(payload);
  return ({ line, column }: Place) => {
    const entry = map.findEntry(line - 1, column - 1);
    if (!("originalSource" in entry)) return undefined;
    const content = payload.sourcesContent[payload.sources.indexOf(entry.originalSource)];
    const file = resolve(dirname(bundle), entry.originalSource);
    return { place: { file, line: entry.originalLine + 1, column: entry.originalColumn + 1 }, content };
  };
}

/** Undefined when the stack has no line in our files, or the file is missing. */
export async function sourceOfError(stack: string): Promise<ErrorSource | undefined> {
  const maps = new Map<string, Awaited<ReturnType<typeof openMap>>>();
  for (const text of stack.split("\n")) {
    const { place: thrown, name } = frameOf(text) ?? {};
    if (thrown === undefined || !isOwn(thrown.file)) continue;
    const { file } = thrown;
    if (!maps.has(file)) maps.set(file, await openMap(file));
    const written = maps.get(file)?.(thrown) ?? { place: thrown, content: await read(file) };
    if (!isOwn(written.place.file)) continue;
    return sourceAt(written.place, written.content, name);
  }
  return undefined;
}

function sourceAt(place: Place, content: string | undefined, name: string | undefined): ErrorSource | undefined {
  if (content === undefined) return undefined;
  const first = Math.max(1, place.line - around);
  const lines = content.split("\n").slice(first - 1, place.line + around);
  if (lines.length <= place.line - first || lines.some((text) => text.length > longestLine)) return undefined;
  const { file, line, column } = place;
  return { file: relative(process.cwd(), file), line, column, function: name, first_line: first, lines };
}
