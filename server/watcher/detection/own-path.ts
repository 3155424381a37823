/**
 * Where a file system ignores letter case, an entry answers to names that are not its own, such as that before a rename.
 * Its own is the one that its folder lists. This module does not access the disk itself.
 */
import { basename, dirname, join } from "node:path";
import { hasFacts, sameIdentity, type FileFacts, type Reading } from "./file-facts.ts";

export interface OwnPathDeps {
  readonly readFacts: (path: string) => Reading;
  /** The names that a folder lists; undefined if they cannot be read. */
  readonly namesIn: (folder: string) => readonly string[] | undefined;
}

const swapCase = (letter: string) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase());

/** One letter suffices, and of a whole name some letters have no other case that the file system knows. */
const inOtherCase = (name: string) => name.replace(/\p{Lu}|\p{Ll}/u, swapCase);

/** File systems that ignore letter case ignore the Unicode form, too. */
const folded = (name: string) => name.normalize("NFC").toLowerCase();

/** For one batch: each folder is listed once, and only if it ignores letter case or an entry has several names. */
export function createOwnPath({ readFacts, namesIn }: OwnPathDeps) {
  const listings = new Map<string, ReturnType<typeof namesIn>>();
  const listed = (folder: string) => {
    if (!listings.has(folder)) listings.set(folder, namesIn(folder));
    return listings.get(folder) ?? [];
  };
  /** @param facts those of the path */
  return (path: string, facts: FileFacts): string => {
    const [folder, name] = [dirname(path), basename(path)];
    const other = inOtherCase(name);
    const there = other === name ? undefined : readFacts(join(folder, other));
    if (!hasFacts(there) || !sameIdentity(there, facts)) return path;
    const names = listed(folder);
    if (names.includes(name)) return path;
    const own = names.find((one) => folded(one) === folded(name));
    return own === undefined ? path : join(folder, own);
  };
}
