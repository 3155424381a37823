import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

const built = join(import.meta.dirname, "../../dist/renderer");
const gzippedBytes = (file: string) => gzipSync(readFileSync(join(built, file))).length;

it("The first page of the console loads at most 250 kB of JavaScript, gzipped", () => {
  const page = readFileSync(join(built, "index.html"), "utf8");
  const loaded = [...page.matchAll(/(?:src|href)="\/console\/([^"]+[.]js)"/g)].map(([, file = ""]) => file);
  expect(loaded.length).toBeGreaterThan(1);
  const overview = readdirSync(join(built, "assets")).filter((file) => /^overview-panel-.*[.]js$/.test(file));
  expect(overview.length).toBe(1);
  const files = [...loaded, ...overview.map((file) => `assets/${file}`)];
  expect(files.map(gzippedBytes).reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(250_000);
});
