import { defineConfig } from "@playwright/test";

export default defineConfig({
  use: {
    hearthOptions: { model: false },
    // A browser of your own; else the one that `npx playwright install chromium` fetches.
    launchOptions: { executablePath: process.env.CHROMIUM },
  },
});
