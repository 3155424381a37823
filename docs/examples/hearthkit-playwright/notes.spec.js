import { readFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import { test } from "hearthkit/playwright";

/** Opens the page under test. Here it comes from a file; else from your own web server. */
async function openNotes(page, { app }, token) {
  const body = await readFile(new URL("notes.html", import.meta.url), "utf8");
  await page.route("http://localhost:4173/**", (route) => route.fulfill({ contentType: "text/html", body }));
  await page.goto(`http://localhost:4173/?${new URLSearchParams({ api: app, token })}`);
}

test("the page shows the person's notes", async ({ page, hearth }) => {
  const ada = await hearth.phone("ada");
  await ada.request("POST", "/api/articles", { title: "Buy tea" });
  await openNotes(page, hearth.urls, ada.token);
  await expect(page.getByRole("listitem")).toHaveText(["Buy tea"]);
});

test("the page says when the server fails", async ({ page, hearth }) => {
  const ada = await hearth.phone("ada");
  await hearth.inject({ method: "GET", path: "/api/articles", status: 500 });
  await openNotes(page, hearth.urls, ada.token);
  await expect(page.getByRole("alert")).toHaveText("The notes cannot be loaded.");
});
