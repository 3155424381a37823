import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

const built = join(import.meta.dirname, "../../../dist/renderer");
const gzippedBytes = (file: string) => gzipSync(readFileSync(join(built, file))).length;
const assets = readdirSync(join(built, "assets")).map((file) => `assets/${file}`);
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
  const source = readFileSync(join(built, file), "utf8");
  for (const [, name = ""] of source.matchAll(/(?:from|import)\s*"[.]\/([^"]+[.]js)"/g))
    withImports(`assets/${name}`, seen);
  return seen;
};

it("The first page of the console loads at most 250 kB of JavaScript, gzipped, with the texts of its language", () => {
  const page = readFileSync(join(built, "index.html"), "utf8");
  const loaded = [...page.matchAll(/(?:src|href)="\/console\/([^"]+[.]js)"/g)].map(([, file = ""]) => file);
  expect(loaded.length).toBeGreaterThan(1);
  const code = [...loaded, ...chunks("overview-panel", 1)].flatMap((file) =>
    file.startsWith("assets/") ? [...withImports(file)] : [file],
  );
  const texts = ["shell", "overview"].map((name) => Math.max(...chunks(name, 2).map(gzippedBytes)));
  const bytes = [...new Set(code)].map(gzippedBytes).concat(texts);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(250_000);
});
