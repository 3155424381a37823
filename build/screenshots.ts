/**
 * `npm run screenshots [-- PAGE…]`: screenshots of each console page with a day's data, in both themes, languages and
 * all widths, in test-results/screenshots. With `--docs` only the documentation's pictures are made, in docs/pictures, with a
 * file of the figures that they show: a test compares it with the product.
 * Screenshots are mostly flat colours, which WebP packs best without loss.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { phone as english } from "../renderer/i18n/en/phone.ts";
import { phone as chinese } from "../renderer/i18n/zh/phone.ts";
import { startHearth } from "../test/bench/hearth.ts";
import { openBench } from "../test/bench/open-bench.ts";
import { openChromium } from "../test/support/console/chromium.ts";
import { choose, pageNames } from "../test/support/console/console-page.ts";
import { figuresFile, pictureFigures } from "./docs/picture-figures.ts";
import { fillForPictures } from "./picture-scene.ts";
import { root } from "./root.ts";

const viewport = { width: 1440, height: 900 };
const sizes = [{ width: 420, height: 800 }, { width: 768, height: 1024 }, viewport, { width: 2560, height: 1440 }];
const languages = { en: "English", zh: "简体中文" };
const themes = ["light", "dark"] as const;
type Language = keyof typeof languages;

/** The pages with something open in them, by the names of their pictures. */
const opened = (order: string): Readonly<Record<string, string>> => ({
  overview: "",
  waterfall: "requests?view=waterfall",
  order: `payments?order=${order}`,
  item: "collections?collection=books&item=3",
  collections: "collections?collection=books",
  chat: "chat?conversation=hearth",
  model: "models?model=hearth-starter%3Alatest",
  guides: "guides?guide=console",
});
const withSomethingOpen = ["waterfall", "order", "item", "model"];
/** The phone first: its login is then among the newest requests. */
const inDocs = [
  "phone",
  "overview",
  "waterfall",
  "events",
  "users",
  "order",
  "faults",
  "item",
  "chat",
  "model",
  "api-docs",
  "settings",
];
/** Whose phones are shown, each once: an app that is opened for the first time goes through the whole login. */
const people = "lin mei noor omar pia quy rosa sven tia uma vik wei xin yara zoe abe".split(" ");

const { values, positionals } = parseArgs({ options: { docs: { type: "boolean" } }, allowPositionals: true });
const all = [...pageNames.map((name) => name.toLowerCase().replace(" ", "-")), ...withSomethingOpen];
const pages = (values.docs ? inDocs : all).filter((name) => positionals.length === 0 || positionals.includes(name));
if (pages.length === 0) {
  console.error(`hearth: no such page; there are: ${all.join(", ")}`);
  process.exit(2);
}

/** Lets a person's phone open the app and agree to what it asks. */
async function openApp(page: Page, language: Language): Promise<void> {
  const texts = language === "en" ? english : chinese;
  await page.getByRole("button", { name: texts.openApp, exact: true }).click();
  for (let asked = 0; asked < 2; asked++) await page.getByRole("button", { name: texts.allow, exact: true }).click();
  await page.getByRole("textbox", { name: texts.newArticle }).waitFor();
}

const out = join(root, values.docs ? "docs/pictures" : "test-results/screenshots");
mkdirSync(out, { recursive: true });
await using bench = openBench();
const { ready } = await startHearth(bench.start, { folder: bench.folder, name: "run", flags: [] });
const addresses = opened(await fillForPictures(ready, bench.folder));
await using browser = await openChromium({ locale: "en-GB", viewport, reducedMotion: "reduce" });
const { page } = browser;
await page.goto(ready.console);
const origin = page.url();

async function take(name: string, file: string, language: Language): Promise<void> {
  const person = name === "phone" ? people.shift() : undefined;
  const path = person === undefined ? (addresses[name] ?? name) : `phone?user=${person}`;
  await page.goto(new URL(path, origin).href);
  await page.getByRole("heading", { level: 1 }).waitFor({ state: "attached" });
  // What comes by itself, a moment later.
  await page.locator('header a[href="/console/faults"]').waitFor();
  if (person !== undefined) await openApp(page, language);
  if (name === "api-docs") await page.frameLocator("iframe").locator(".opblock").first().waitFor();
  await page.waitForLoadState("networkidle", { timeout: 1_000 }).catch(() => undefined); // the stream stays open
  const picture = await page.screenshot();
  if (values.docs)
    await sharp(picture)
      .webp({ lossless: true, effort: 6 })
      .toFile(join(out, `${file}.webp`));
  else writeFileSync(join(out, `${file}.png`), picture);
}

let taken = 0;
for (const language of Object.keys(languages) as Language[]) {
  await page.setViewportSize(viewport);
  await page.goto(origin);
  await choose(page, /^(Language|语言)/, languages[language]);
  // The language is stored once its texts are loaded.
  await page.locator(`html[lang^="${language}"]`).waitFor({ state: "attached" });
  // The Chinese guides do without dark ones: the repository stays small.
  for (const theme of values.docs && language === "zh" ? (["light"] as const) : themes) {
    // The page follows the system until a theme is chosen.
    await page.emulateMedia({ colorScheme: theme });
    for (const size of values.docs ? [viewport] : sizes) {
      await page.setViewportSize(size);
      for (const name of pages) {
        const parts = values.docs ? [name, theme, language] : [name, String(size.width), theme, language];
        await take(name, parts.join("-"), language);
        taken += 1;
      }
    }
  }
}
if (values.docs && positionals.length === 0)
  writeFileSync(figuresFile, `${JSON.stringify(pictureFigures(), null, 2)}\n`);
console.log(`${String(taken)} pictures in ${out}`);
