/** Compresses the files of the console's page once, as far as can be, so that the server never has to. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const brotli = promisify(brotliCompress);
/** Fonts and pictures are compressed by themselves. */
const compressible = /\.(?:js|css|svg|json|txt|wasm)$/;
const leastBytes = 1_000;

/** Writes `FILE.br` beside each file that gets smaller. @param names relative to `folder` */
export async function precompress(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names.filter((one) => compressible.test(one))) {
    const bytes = await readFile(join(folder, name));
    if (bytes.length < leastBytes) continue;
    const compressed = await brotli(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
    if (compressed.length < bytes.length) await writeFile(join(folder, `${name}.br`), compressed);
  }
}
