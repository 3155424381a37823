/** The system's Chromium, where there is one, with a profile of its own. */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium, type BrowserContextOptions, type Page } from "playwright-core";
import { patienceMs } from "../eventually.ts";
import { untilUnused } from "../process/processes.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { stopIntercepting } from "./console-page.ts";
import { delayAnswers } from "./delay-answers.ts";

/** Undefined where there is none. */
export const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
  (path) => existsSync(path),
);

/** What would ask hosts of the browser's maker. */
const offline = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];

export interface Browser extends AsyncDisposable {
  readonly page: Page;
  /** What the browser reported as errors, such as what the page's policy forbids. */
  readonly complaints: string[];
}

/** `more`: further switches of the browser. */
export async function openChromium(options: BrowserContextOptions, more: readonly string[] = []): Promise<Browser> {
  await using world = new AsyncDisposableStack();
  const folder = world.use(temporaryFolder());
  const place = (name: string) => join(folder.path, name);
  const [profile, artifactsDir, temporary] = [place("profile"), place("artifacts"), place("tmp")];
  for (const path of [profile, artifactsDir, temporary]) mkdirSync(path);
  const context = await chromium.launchPersistentContext(profile, {
    ...(executablePath !== undefined && { executablePath }),
    artifactsDir,
    env: { ...process.env, TMPDIR: temporary },
    args: [...offline, ...more, ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
    ...options,
  });
  context.setDefaultTimeout(patienceMs);
  world.defer(() => untilUnused(temporary));
  world.defer(() => context.close());
  const page = context.pages()[0] ?? (await context.newPage());
  world.defer(() => stopIntercepting(page));
  await delayAnswers(page);
  const opened = world.move();
  return { page, complaints: complaintsOf(page), [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** Gathers the errors of a page from now on. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return complaints;
}
