import { createHash } from "node:crypto";
import { createReadStream, existsSync, statSync } from "node:fs";
import { openAsBlob } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { ModelClient } from "../../contract/model/model-client.ts";
import { homePath } from "../../file-system/home-path.ts";
import { ModelServiceError } from "./model-transport.ts";

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk as Buffer);
  return `sha256:${hash.digest("hex")}`;
}

async function filesOf(path: string): Promise<string[]> {
  if (!statSync(path).isDirectory()) return [path];
  const inside = (await readdir(path)).filter((file) => /\.gguf$/i.test(file)).sort();
  if (inside.length === 0) throw new ModelServiceError(`${path} has no GGUF file`);
  return inside.map((file) => join(path, file));
}

/** Like Ollama: ~ is the user's home. */
const pathOf = (text: string, folder: string) => resolve(folder, homePath(text));

/** The existing files among the values of FROM; the others are names of models. */
export function splitSources(from: readonly string[], folder: string): { paths: string[]; names: string[] } {
  const paths = from.map((text) => pathOf(text, folder)).filter((path) => existsSync(path));
  const names = from.filter((text) => !existsSync(pathOf(text, folder)));
  return { paths, names };
}

/**
 * Uploads the files that the service lacks, and returns their digests by name. `report` is called with the progress.
 */
export async function uploadFiles(
  client: ModelClient,
  paths: readonly string[],
  signal: AbortSignal,
  report: (text: string) => void,
): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const path of (await Promise.all(paths.map(filesOf))).flat()) {
    report(`reading ${path}`);
    const digest = await hashOf(path);
    digests[basename(path)] = digest;
    if (await client.hasBlob(digest, signal)) continue;
    report(`copying ${path}`);
    await client.sendBlob(await openAsBlob(path), digest, signal, () => undefined);
  }
  return digests;
}
