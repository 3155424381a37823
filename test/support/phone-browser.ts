/** A browser as on a phone: the system's Chromium, where there is one. */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { temporaryFolder } from "./temporary-folder.ts";

const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) =>
  existsSync(path),
);
export const hasBrowser = executablePath !== undefined;

/** @param locale in which the browser asks for pages */
export async function openPhone(locale: string) {
  const folder = temporaryFolder();
  const place = (name: string) => join(folder.path, name);
  const [profile, artifactsDir, temporary] = [place("profile"), place("artifacts"), place("tmp")];
  for (const path of [profile, artifactsDir, temporary]) mkdirSync(path);
  const context = await chromium.launchPersistentContext(profile, {
    ...(executablePath !== undefined && { executablePath }),
    artifactsDir,
    env: { ...process.env, TMPDIR: temporary },
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
    locale,
    viewport: { width: 360, height: 740 },
  });
  const page = context.pages()[0] ?? (await context.newPage());
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  return {
    page,
    /** What the browser reported as errors, such as what the page's policy forbids. */
    complaints,
    async [Symbol.asyncDispose]() {
      await context.close();
      folder[Symbol.dispose]();
    },
  };
}
