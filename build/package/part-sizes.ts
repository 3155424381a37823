/** What each part of a packaged program weighs, compared with a committed list, so that growth is a decision. */
import { existsSync, globSync, lstatSync, readFileSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";

/** Bytes by part. Those outside `resources/` belong to Electron. */
export interface PartSizes {
  readonly electron: string;
  readonly bytes: Readonly<Record<string, number>>;
}

const listFile = join(import.meta.dirname, "part-sizes.json");
const tolerance = 1.05;

function readList(): Record<string, PartSizes> {
  return existsSync(listFile) ? (JSON.parse(readFileSync(listFile, "utf8")) as Record<string, PartSizes>) : {};
}

/** Notes the sizes for a system, `linux-x64` and the like. */
export function acceptSizes(system: string, sizes: PartSizes): void {
  writeFileSync(listFile, `${JSON.stringify({ ...readList(), [system]: sizes }, null, 2)}\n`);
}

/** A package, a file or folder of the archive's unpacked part, or a file or folder of the program. */
function partOf(path: string): string {
  const names = path.split("/");
  const modules = names.indexOf("node_modules") + 1;
  if (modules > 0) return names.slice(0, modules + (names[modules]?.startsWith("@") ? 2 : 1)).join("/");
  const unpacked = names.indexOf("app.asar.unpacked") + 1;
  if (unpacked > 0) return names.slice(0, unpacked + 2).join("/");
  return names.slice(0, names[0] === "resources" ? 2 : 1).join("/");
}

/** Measures the unpacked program in `folder`, on macOS the bundle's contents. */
export function measureParts(folder: string, electron: string): PartSizes {
  const bytes: Record<string, number> = {};
  for (const path of globSync("**", { cwd: folder }).map((name) => name.split(sep).join("/"))) {
    const stats = lstatSync(join(folder, path));
    if (stats.isFile()) bytes[partOf(path)] = (bytes[partOf(path)] ?? 0) + stats.size;
  }
  return { electron, bytes: Object.fromEntries(Object.entries(bytes).sort(([, a], [, b]) => b - a)) };
}

const tenLargest = ({ bytes }: PartSizes) => Object.entries(bytes).slice(0, 10);
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

/** The ten largest parts, one line each. */
export const sizeLines = (sizes: PartSizes): string[] =>
  tenLargest(sizes).map(([part, bytes]) => `  ${megabytes(bytes).padStart(9)}  ${part}`);

/** Which of the ten largest parts grew by more than 5 %, in words; Electron's only count in the same version. */
export function grownParts(sizes: PartSizes, accepted: PartSizes | undefined): string[] {
  if (accepted === undefined) return [];
  const isComparable = (part: string) => part.startsWith("resources/") || sizes.electron === accepted.electron;
  return tenLargest(sizes)
    .map(([part, bytes]) => ({ part, bytes, before: accepted.bytes[part] ?? 0 }))
    .filter(({ part, bytes, before }) => isComparable(part) && bytes > before * tolerance)
    .map(({ part, bytes, before }) => `${part} grew from ${megabytes(before)} to ${megabytes(bytes)}`);
}

/** The sizes that were accepted for a system. */
export const acceptedSizes = (system: string): PartSizes | undefined => readList()[system];
