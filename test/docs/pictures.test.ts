/** The pictures of the documentation show the product of today. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { figuresFile, pictureFigures } from "../../build/docs/picture-figures.ts";

it("the pictures were made with the pages, settings and model of today: else run npm run screenshots -- --docs", () => {
  expect(JSON.parse(readFileSync(figuresFile, "utf8"))).toEqual(pictureFigures());
});
