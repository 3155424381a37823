import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { expect } from "@playwright/test";
import { test as withHearth } from "hearthkit/playwright";

/** `open(token)` shows the page under test; in place of this server stands your own. */
const test = withHearth.extend({
  open: async ({ page, hearth }, use) => {
    const html = await readFile(new URL("notes.html", import.meta.url));
    const server = createServer((_request, response) => response.setHeader("Content-Type", "text/html").end(html));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const site = new URL(`http://127.0.0.1:${server.address().port}`);
    site.searchParams.set("api", hearth.urls.app);
    await use((token) => {
      site.searchParams.set("token", token);
      return page.goto(site.href);
    });
    server.closeAllConnections();
    server.close();
  },
});

test("the page shows the person's notes", async ({ page, hearth, open }) => {
  const ada = await hearth.phone("ada");
  await ada.request("POST", "/api/articles", { title: "Buy tea" });
  await open(ada.token);
  await expect(page.getByRole("listitem")).toHaveText(["Buy tea"]);
});

test("the page says when the server fails", async ({ page, hearth, open }) => {
  const ada = await hearth.phone("ada");
  await hearth.inject({ method: "GET", path: "/api/articles", status: 500 });
  await open(ada.token);
  await expect(page.getByRole("alert")).toHaveText("The notes cannot be loaded.");
});
