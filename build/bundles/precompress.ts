/** Compresses files that browsers load once, at the highest quality, and keeps only the result: it takes a third of the space. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const brotli = promisify(brotliCompress);
/** Fonts and pictures are compressed by themselves. */
const compressible = /\.(?:js|css|svg|json|txt|wasm)$/;
const leastBytes = 1_000;

/** Replaces each file that gets smaller with `FILE.br`. @param names relative to `folder` */
export async function precompress(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names.filter((one) => compressible.test(one))) {
    const bytes = await readFile(join(folder, name));
    if (bytes.length < leastBytes) continue;
    const compressed = await brotli(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
    if (compressed.length >= bytes.length) continue;
    await writeFile(join(folder, `${name}.br`), compressed);
    await rm(join(folder, name));
  }
}
