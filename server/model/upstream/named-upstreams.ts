/**
 * The base URLs that Modelfiles of this machine have named. A model that was pulled may name one, too, and would get the
 * chats of whoever runs it, so only these and those of the setting are asked.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { replaceFileSync } from "../../file-system/replace-file.ts";

export interface NamedUpstreams {
  has(url: string): boolean;
  /** Writes it down. @throws the system's error; it is not named then */
  add(url: string): void;
}

function readUrls(file: string): string[] {
  try {
    return z.array(z.string()).parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    // Without the file there are none, and one that cannot be read allows none.
    return [];
  }
}

export function openNamedUpstreams(file: string): NamedUpstreams {
  const urls = new Set(readUrls(file));
  return {
    has: (url) => urls.has(url),
    add(url) {
      if (urls.has(url)) return;
      mkdirSync(dirname(file), { recursive: true });
      replaceFileSync(file, `${JSON.stringify([...urls, url], null, 2)}\n`);
      urls.add(url);
    },
  };
}
