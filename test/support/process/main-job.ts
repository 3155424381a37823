/** What Hearth is for, by a client and in the window: a login, an upload, a changed file, a paid order, a chat. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { ReadyFileContent } from "../../../server/supervisor/ready-file.ts";
import { openPage } from "../console/console-page.ts";
import { pngBytes } from "../files.ts";

interface Job {
  readonly page: Page;
  readonly addresses: ReadyFileContent;
  /** A folder that a watcher reports to this Hearth. */
  readonly watched: string;
}

/** Fails where a step does not do what it should, or the window does not show it. */
export async function doMainJob({ page, addresses: { app, provider }, watched }: Job): Promise<void> {
  const row = (text: string) => page.getByRole("row").filter({ hasText: text }).first();
  const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(url, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "Content-Type": "application/json", ...headers },
    });
  const sim = async (step: string) => (await fetch(`${provider}/sim/users/eve/${step}`, { method: "POST" })).json();

  const created = await post(`${app}/api/sessions`, await sim("login"));
  expect(created.status).toBe(201);
  const { status } = (await created.json()) as { status: { access_token: string } };
  const headers = { Authorization: `Bearer ${status.access_token}` };
  const articles = () => fetch(`${app}/api/articles`, { headers });
  expect((await articles()).headers.get("www-authenticate")).toBe("getUserInfo");
  expect((await post(`${app}/api/userinfos`, await sim("user-info"), headers)).status).toBe(201);
  expect((await articles()).headers.get("www-authenticate")).toBe("getPhoneNumber");
  expect((await post(`${app}/api/phonenumbers`, await sim("phone-number"), headers)).status).toBe(201);
  expect((await articles()).status).toBe(200);

  const form = new FormData();
  form.append("[]", new File([pngBytes(40, 40)], "picture.png"));
  const upload = await fetch(`${app}/api/uploads`, { method: "POST", body: form, headers });
  expect(upload.status).toBe(201);
  const { id } = (await upload.json()) as { id: number };
  expect((await fetch(`${app}/api/uploads/${id}/thumbnail`, { headers })).status).toBe(200);
  await openPage(page, "Uploads");
  await row("picture.png").waitFor();

  writeFileSync(join(watched, "notes.txt"), "");
  await openPage(page, "Events");
  await row(`create · ${join(watched, "notes.txt")}`).waitFor();

  const placed = await post(`${app}/api/orders`, { description: "Tea", amount: 199 }, headers);
  expect(placed.status).toBe(201);
  const { data } = (await placed.json()) as { data: { id: number; out_trade_no: string } };
  expect((await fetch(`${provider}/sim/orders/${data.out_trade_no}/pay`, { method: "POST" })).status).toBeLessThan(300);
  const order = async () => await (await fetch(`${app}/api/orders/${data.id}`, { headers })).json();
  await expect.poll(order).toMatchObject({ data: { trade_state: "SUCCESS" } });
  await openPage(page, "Payments");
  await page.getByRole("region", { name: "SUCCESS: 1 order" }).getByRole("button", { name: /Tea/ }).waitFor();

  await openPage(page, "Chat");
  await page.getByRole("combobox", { name: "Model" }).selectOption("hearth-starter:latest");
  await page.getByRole("textbox", { name: "Message" }).fill("What is Hearth?");
  await page.getByRole("button", { name: "Send" }).click();
  const answer = page.getByRole("article", { name: "hearth-starter:latest" }).last();
  await expect.poll(() => answer.textContent()).toMatch(/token\/s/);
}
