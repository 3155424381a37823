/**
 * Reads git's index file, the list of tracked files (gitformat-index(5)). Git itself would run commands that the
 * repository names. An ambiguous file is refused.
 */
import { createHash } from "node:crypto";

/** The reason why the tracked files of an index are uncertain. */
export class GitIndexError extends Error {
  override readonly name = "GitIndexError";
  /** Whether no git can have written the file. */
  readonly isDamage: boolean;

  constructor(message: string, isDamage = false) {
    super(message);
    this.isDamage = isDamage;
  }
}

/** Git's own limit for a path, which holds on every system. */
const longestPath = 4096;
/** The paths of one index together. Version 4 compresses them, so that a small file could list far more. */
const longestPaths = 256 * 1024 * 1024;

const headerBytes = 12;
/** Times, device, inode, mode, owner and size of a file. */
const statBytes = 40;
const modeAt = 24;
const formats = [
  { algorithm: "sha1", hashBytes: 20 },
  { algorithm: "sha256", hashBytes: 32 },
] as const;

/** The types of entries in the upper bits of a mode. */
const types = { folder: 0o04, file: 0o10, link: 0o12, repository: 0o16 };
const isExtended = 0x4000;
const lengthMask = 0xfff;
/** Intent to add, and skip worktree. */
const knownExtendedFlags = 0x6000;

const sparse = () => new GitIndexError("its index is sparse; run git sparse-checkout reapply --no-sparse-index");
const damaged = (what: string) => new GitIndexError(`its index is damaged: ${what}`, true);

/** Reads values in order, and nothing beyond the end. */
class Reader {
  readonly bytes: Buffer;
  at = headerBytes;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** @returns the position of the bytes */
  skip(count: number): number {
    const from = this.at;
    if (count > this.bytes.length - from) throw damaged("it ends within an entry");
    this.at += count;
    return from;
  }

  byte = (): number => this.bytes.readUInt8(this.skip(1));
  short = (): number => this.bytes.readUInt16BE(this.skip(2));
  long = (): number => this.bytes.readUInt32BE(this.skip(4));

  /** Skips bytes up to and including a zero. @returns its position */
  skipThroughZero(): number {
    const end = this.bytes.indexOf(0, this.at);
    if (end < 0) throw damaged("a path has no end");
    this.at = end + 1;
    return end;
  }

  /** The number of bytes of the previous path that a path of version 4 does not share. */
  stripped(): number {
    let byte = this.byte();
    let value = byte & 0x7f;
    while (byte & 0x80) {
      byte = this.byte();
      value = ((value + 1) << 7) | (byte & 0x7f);
      if (value > longestPath) throw damaged("a path is shorter than nothing");
    }
    return value;
  }
}

/** Reads an entry's mode and flags. @returns the length of its path, up to the flags' maximum */
function readFixedPart(reader: Reader, hashBytes: number, version: number): number {
  const type = reader.bytes.readUInt32BE(reader.skip(statBytes) + modeAt) >>> 12;
  if (type === types.folder) throw sparse();
  if (type !== types.file && type !== types.link && type !== types.repository)
    throw damaged("an entry is neither a file nor a link nor a repository");
  reader.skip(hashBytes);
  const flags = reader.short();
  if (flags & isExtended) {
    if (version < 3) throw damaged("an entry has flags of a later version");
    if (reader.short() & ~knownExtendedFlags) throw damaged("an entry has unknown flags");
  }
  return flags & lengthMask;
}

/** The paths of the entries, each once per stage. */
function* entries(reader: Reader, hashBytes: number, version: number, count: number): Generator<string> {
  const path = Buffer.alloc(longestPath);
  let length = 0;
  let total = 0;
  for (let entry = 0; entry < count; entry++) {
    const start = reader.at;
    const flagLength = readFixedPart(reader, hashBytes, version);
    const shared = version === 4 ? length - reader.stripped() : 0;
    const from = reader.at;
    const end = reader.skipThroughZero();
    length = shared + end - from;
    total += length;
    if (shared < 0 || length === 0 || length > longestPath || flagLength !== Math.min(length, lengthMask))
      throw damaged("a path has another length than its entry says");
    if (total > longestPaths) throw new GitIndexError("its index is too large");
    reader.bytes.copy(path, shared, from, end);
    // Before version 4, one to eight zeros end an entry at a multiple of eight bytes.
    while (version < 4 && (reader.at - start) % 8 > 0)
      if (reader.byte() !== 0) throw damaged("an entry does not end as it must");
    yield path.toString("utf8", 0, length);
  }
}

/** Checks that the rest consists of extensions that may be ignored. */
function skipExtensions(reader: Reader): void {
  while (reader.at < reader.bytes.length) {
    const nameAt = reader.skip(4);
    const name = reader.bytes.toString("latin1", nameAt, reader.at);
    if (name === "link") throw new GitIndexError("its index is split; run git update-index --no-split-index");
    if (name === "sdir") throw sparse();
    if (!/^[A-Z]/.test(name)) throw new GitIndexError("its index has an unknown extension that git requires");
    reader.skip(reader.long());
  }
}

function* pathsBefore(bytes: Buffer, hashBytes: number): Generator<string> {
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) throw new GitIndexError(`its index has the unknown version ${String(version)}`);
  const reader = new Reader(bytes.subarray(0, -hashBytes));
  yield* entries(reader, hashBytes, version, bytes.readUInt32BE(8));
  skipExtensions(reader);
}

function isWhole(bytes: Buffer, hashBytes: number): boolean {
  const paths = pathsBefore(bytes, hashBytes);
  try {
    while (paths.next().done !== true);
    return true;
  } catch (error) {
    return !(error as GitIndexError).isDamage;
  }
}

/** The length of the checksum. Git may replace it by zeros (index.skipHash); then the entries show the length. */
function hashBytesOf(bytes: Buffer): number {
  const fitting = formats.filter(({ algorithm, hashBytes }) => {
    if (bytes.length < headerBytes + hashBytes) return false;
    const checksum = bytes.subarray(-hashBytes);
    if (checksum.every((byte) => byte === 0)) return isWhole(bytes, hashBytes);
    return createHash(algorithm).update(bytes.subarray(0, -hashBytes)).digest().equals(checksum);
  });
  const [found, other] = fitting;
  if (found === undefined || other !== undefined) throw damaged("its checksum is wrong");
  return found.hashBytes;
}

/**
 * The paths that an index lists, relative to the repository and with slashes. Invalid UTF-8 becomes U+FFFD.
 * @throws GitIndexError possibly after some paths
 */
export function* pathsInIndex(bytes: Buffer): Generator<string> {
  if (bytes.toString("latin1", 0, 4) !== "DIRC") throw damaged("it does not begin as one");
  yield* pathsBefore(bytes, hashBytesOf(bytes));
}
