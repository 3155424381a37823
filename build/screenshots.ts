/**
 * `npm run screenshots [-- PAGE…]`: screenshots of each console page with a day's data, in both themes, languages and
 * widths, in test-results/screenshots. One of them is the README's.
 */
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { startHearth } from "../test/bench/hearth.ts";
import { openBench } from "../test/bench/open-bench.ts";
import { openChromium } from "../test/support/console/chromium.ts";
import { choose, openPage, pageNames } from "../test/support/console/console-page.ts";
import { fillConsole } from "../test/support/console/console-scene.ts";
import { root } from "./root.ts";

const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 420, height: 800 } };
const languages = { en: "English", zh: "简体中文" };
const themes = ["light", "dark"] as const;
const inReadme = "requests-wide-light-en.png";
const wanted = process.argv.slice(2).map((name) => name.toLowerCase());
const pages = pageNames.filter((name) => wanted.length === 0 || wanted.includes(name.toLowerCase()));
if (pages.length === 0) {
  console.error(`hearth: no such page; there are: ${pageNames.join(", ")}`);
  process.exit(2);
}

const out = join(root, "test-results/screenshots");
mkdirSync(out, { recursive: true });
await using bench = openBench();
const { ready } = await startHearth(bench.start, { folder: bench.folder, name: "run", flags: [] });
await fillConsole(ready, bench.folder);
await using browser = await openChromium({ locale: "en-GB", viewport: sizes.wide, reducedMotion: "reduce" });
const { page } = browser;
await page.goto(ready.console);
/** Each page's address, which is the same in every language. */
const addresses = new Map<string, string>();
for (const name of pages) {
  await openPage(page, name);
  addresses.set(name, page.url());
}
for (const [code, language] of Object.entries(languages)) {
  await choose(page, /^(Language|语言)/, language);
  // The language is stored once its texts are loaded.
  await page.locator(`html[lang^="${code}"]`).waitFor({ state: "attached" });
  for (const theme of themes) {
    // The page follows the system until a theme is chosen.
    await page.emulateMedia({ colorScheme: theme });
    for (const [width, viewport] of Object.entries(sizes)) {
      await page.setViewportSize(viewport);
      for (const [name, address] of addresses) {
        await page.goto(address);
        await page.getByRole("heading", { level: 1 }).waitFor({ state: "attached" });
        await page.waitForLoadState("networkidle", { timeout: 1_500 }).catch(() => undefined); // the stream stays open
        const file = `${name.toLowerCase().replace(" ", "-")}-${width}-${theme}-${code}.png`;
        await page.screenshot({ path: join(out, file) });
        if (file === inReadme) copyFileSync(join(out, file), join(root, "build/pictures/console.png"));
      }
      await page.setViewportSize(sizes.wide);
    }
  }
}
console.log(`${String(addresses.size * 8)} pictures in ${out}`);
