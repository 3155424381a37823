/** Places that cannot be read, the outermost ones only: nothing below one of them can be read either. */
import { accessSync, constants } from "node:fs";
import { plainFs } from "../../file-system/plain-fs.ts";
import { dirname } from "node:path";
import { prefixBelow } from "../../file-system/compare-paths.ts";
import { isNowhere } from "../../file-system/is-missing.ts";

/** Something that is refused, other than because it is gone. */
function isRefused(call: () => void): boolean {
  try {
    call();
    return false;
  } catch (error) {
    return !isNowhere(error);
  }
}

/**
 * The names in a folder, none if it is gone or a link is in its place; undefined if the folder or its entries cannot be
 * read.
 */
export function namesIn(folder: string): string[] | undefined {
  let names: string[] = [];
  const refused = isRefused(() => {
    if (!plainFs.lstatSync(folder).isDirectory()) return;
    names = plainFs.readdirSync(folder);
    accessSync(folder, constants.X_OK);
  });
  return refused ? undefined : names;
}

const isInside = (path: string, folder: string) => path === folder || path.startsWith(prefixBelow(folder));

interface Deps {
  readonly root: string;
  /** Called once for each outermost place, and once it is none any more. */
  readonly onUnreadable: (path: string) => void;
  readonly onReadable: (path: string) => void;
}

export function createUnreadablePlaces({ root, onUnreadable, onReadable }: Deps) {
  /** The moment before which everything there had been seen. */
  const places = new Map<string, number>();

  /** The known place that a path is, or is in. */
  function placeOf(path: string): string | undefined {
    let at = path;
    while (!places.has(at) && at !== root) at = dirname(at);
    return places.has(at) ? at : undefined;
  }

  function outermost(path: string): string {
    let at = path;
    while (at !== root && isRefused(() => accessSync(dirname(at), constants.X_OK))) at = dirname(at);
    return at;
  }

  function remove(path: string): number | undefined {
    const until = places.get(path);
    if (places.delete(path)) onReadable(path);
    return until;
  }

  /** Removes and returns the places in a folder. */
  function take(folder: string): (readonly [path: string, until: number])[] {
    const inside = [...places].filter(([path]) => isInside(path, folder));
    for (const [path] of inside) remove(path);
    return inside;
  }

  /** The name of a path in a folder that cannot be read may be wrong: the system names a folder as if it were in itself. */
  function add(path: string, until: number): void {
    // A folder above the watched one need not be readable.
    if (!isInside(path, root)) return;
    const known = placeOf(path);
    const place = known ?? outermost(path);
    const inside = known === undefined ? take(place) : [];
    places.set(place, Math.min(until, places.get(place) ?? until, ...inside.map(([, seen]) => seen)));
    if (known === undefined) onUnreadable(place);
  }

  return {
    add,
    /** Returns the moment before which everything there had been seen; undefined if it could be read all the time. */
    remove,
    /** A folder above them, or one of them, has another name. */
    moved(from: string, to: string): void {
      for (const [path, until] of take(from)) add(to + path.slice(from.length), until);
    },
    clear: () => void take(root),
    entries: () => [...places],
  };
}
