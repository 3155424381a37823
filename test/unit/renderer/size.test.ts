import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { brotliDecompressSync, gzipSync } from "node:zlib";
import { expect, it } from "vitest";

const built = join(import.meta.dirname, "../../../dist/renderer");
/** The build keeps most files only compressed. */
function contentOf(file: string): Buffer {
  const path = join(built, file);
  return existsSync(path) ? readFileSync(path) : brotliDecompressSync(readFileSync(`${path}.br`));
}
const gzippedBytes = (file: string) => gzipSync(contentOf(file)).length;
const assets = readdirSync(join(built, "assets")).map((file) => `assets/${file.replace(/[.]br$/, "")}`);
/** The chunks of this name: that of a file of texts is there once for each language. */
const chunks = (name: string, count: number): string[] => {
  const found = assets.filter(
    (file) => file.startsWith(`assets/${name}-`) && /^.{8}[.]js$/.test(file.slice(name.length + 8)),
  );
  expect([name, found.length]).toEqual([name, count]);
  return found;
};
/** A chunk with all that it needs before it can run. */
const withImports = (file: string, seen = new Set<string>()): Set<string> => {
  if (seen.has(file)) return seen;
  seen.add(file);
  const source = contentOf(file).toString();
  for (const [, name = ""] of source.matchAll(/(?:from|import)\s*"[.]\/([^"]+[.]js)"/g))
    withImports(`assets/${name}`, seen);
  return seen;
};

it("The first page of the console loads at most 250 kB of JavaScript, gzipped, with the texts of its language", () => {
  const page = readFileSync(join(built, "index.html"), "utf8");
  const loaded = [...page.matchAll(/(?:src|href)="\/console\/([^"]+[.]js)"/g)].map(([, file = ""]) => file);
  expect(loaded.length).toBeGreaterThan(1);
  const code = loaded.flatMap((file) => (file.startsWith("assets/") ? [...withImports(file)] : [file]));
  const texts = ["shell", "overview"].map((name) => Math.max(...chunks(name, 2).map(gzippedBytes)));
  const bytes = [...new Set(code)].map(gzippedBytes).concat(texts);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(250_000);
});

it("Every page of the console loads at most 20 files of code", () => {
  const panels = assets.filter((file) => /-panel-.{8}[.]js$/.test(file));
  expect(panels.length).toBeGreaterThan(10);
  expect(panels.filter((file) => withImports(file).size > 20)).toEqual([]);
});

it("Each of the library's components in the console's code has its styles", () => {
  const classesIn = (text: string) => text.match(/\bm_[0-9a-f]{6,8}\b/g) ?? [];
  const read = (ending: string) =>
    assets.filter((file) => file.endsWith(ending)).map((file) => contentOf(file).toString());
  const styles = createRequire(import.meta.url).resolve("@mantine/core/styles.css");
  const styled = new Set(classesIn(readFileSync(styles, "utf8")));
  const used = new Set(
    read(".js")
      .flatMap(classesIn)
      .filter((name) => styled.has(name)),
  );
  expect(used.size).toBeGreaterThan(50);
  const sent = new Set(read(".css").flatMap(classesIn));
  expect([...used].filter((name) => !sent.has(name))).toEqual([]);
});
