/** The names of a zip archive's members, which seldom declare their encoding. */
import { getFileNameLowLevel, type Entry } from "yauzl";

const utf8Flag = 0x800;
/** Encodings to try for undeclared names: that of Unix programs, then that of Chinese Windows. */
const encodings = ["utf-8", "gb18030"];

function decoded(name: Buffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(name);
  } catch {
    return undefined;
  }
}

/** The name of an entry that was read without `decodeStrings`. It may be any text, such as `../a`: it is no path. */
export function entryName({ generalPurposeBitFlag: flags, fileNameRaw, extraFields }: EntryNames): string {
  const read = (flag: number) => getFileNameLowLevel(flag, fileNameRaw, extraFields, false);
  const inUtf8 = read(flags | utf8Flag);
  const inCp437 = read(flags & ~utf8Flag);
  // Both are the same where an extra field has the name, and for ASCII.
  if ((flags & utf8Flag) !== 0 || inUtf8 === inCp437) return inUtf8;
  const found = encodings.map((encoding) => decoded(fileNameRaw, encoding)).find((name) => name !== undefined);
  return found?.replaceAll("\\", "/") ?? inCp437;
}

type EntryNames = Pick<Entry, "generalPurposeBitFlag" | "fileNameRaw" | "extraFields">;
