/** `npm run docs`: writes the pages of the book that the program itself tells: its settings and its commands. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { generatedPages } from "./docs/generated-pages.ts";
import { root } from "./root.ts";

for (const [file, text] of Object.entries(await generatedPages())) {
  writeFileSync(join(root, file), text);
  console.log(file);
}
