/**
 * The base URLs that Modelfiles of this machine have named. A model that was pulled may name one, too, and would get the
 * chats of whoever runs it, so only these and those of the setting are asked.
 */
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { renameFile } from "../../file-system/rename-file.ts";

export interface NamedUpstreams {
  has(url: string): boolean;
  any(): boolean;
  /** Resolves when it is written. */
  add(url: string): Promise<void>;
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
  let written: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const draft = `${file}.${String(process.pid)}.part`;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(draft, `${JSON.stringify([...urls], null, 2)}\n`, { mode: 0o600 });
    await renameFile(draft, file);
  }

  return {
    has: (url) => urls.has(url),
    any: () => urls.size > 0,
    async add(url) {
      if (urls.has(url)) return;
      urls.add(url);
      written = written.catch(() => undefined).then(write);
      await written;
    },
  };
}
