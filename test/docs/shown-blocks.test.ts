/** The blocks of the pages that are no commands of Hearth: what it prints elsewhere, and what other programs read. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { startMcpApp } from "../support/mcp/mcp-app.ts";
import { startTestApp, consoleToken } from "../support/app/test-app.ts";
import { startShopBackend } from "../support/payments/shop-backend.ts";
import { startTestProvider } from "../support/payments/test-provider.ts";
import { listen } from "../support/process/listen.ts";
import { runCommand } from "../support/process/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { prints } from "./prints.ts";
import { marked } from "./read-blocks.ts";

/** The block of a page that names this test. */
function shownOn(page: string): string {
  const onPage = marked("not run").filter((block) => block.page === `docs/guides/${page}`);
  const [block, ...others] = onPage.filter(({ mark }) => mark?.value.startsWith("test/docs/shown-blocks.test.ts"));
  if (!block || others.length > 0) throw new Error(`${page}: one block names this test`);
  return block.text;
}

/** Sizes and times differ from machine to machine. */
const withoutFigures = (text: string) => text.replaceAll(/[\d.]+ [MG]B/g, "… MB");

it("the doctor prints of a taken port what the guide about data shows", async () => {
  using home = temporaryFolder();
  await using other = await listen((_req, res) => void res.end());
  const { port } = new URL(other.url);
  const doctor = await runCommand(["doctor", "--quick", "--app-port", port], {
    HOME: home.path,
    HEARTH_DATA_DIR: home.path,
  });
  const shown = shownOn("data.md").replaceAll("3080", port);
  expect({
    code: doctor.code,
    printed: doctor.stdout,
    fits: prints(withoutFigures(doctor.stdout), withoutFigures(shown)),
  }).toMatchObject({ code: 1, fits: true });
});

it("the check prints of a receiver that accepts before it verifies what the guide about receivers shows", async () => {
  using folder = temporaryFolder();
  await using provider = await startTestProvider();
  await using shop = await startShopBackend(provider, "v2", "trusts-result-code");
  const { notify_url, orders, status } = shop.described;
  const { stdout } = await runCommand(
    [
      ...["check-receiver", "--provider-url", provider.url, "--notify-url", notify_url],
      ...["--order-url", orders.url, "--order-number-at", "data.number"],
      ...["--status-url", status.url, "--settled-when", status.settled_when],
      ...["--only", "forged-missing", "--only", "forged-unpaid"],
    ],
    { HEARTH_DATA_DIR: folder.path },
  );
  expect({ printed: stdout, fits: prints(stdout, shownOn("check-your-receiver.md")) }).toMatchObject({ fits: true });
});

it("an agent connects by the configuration that the guide for agents shows", async () => {
  await using served = await startMcpApp();
  const text = shownOn("agents.md").replace("http://127.0.0.1:3082/mcp", served.url).replace("KEY", consoleToken);
  const { mcpServers } = JSON.parse(text) as {
    mcpServers: { hearth: { type: string; url: string; headers: Record<string, string> } };
  };
  const { type, url, headers } = mcpServers.hearth;
  expect(type).toBe("http");
  const client = new Client({ name: "test", version: "1.0.0" });
  await using opened = new AsyncDisposableStack();
  opened.defer(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("order");
});

it("a mini-program changes one field by the request that its guide shows", async () => {
  await using app = await startTestApp();
  const { Authorization = "" } = await app.loggedIn();
  const headers = { Authorization, "Content-Type": "application/json" };
  const made = await app.post(`${app.url}/api/articles`, { title: "Old title", body: "kept" }, headers);
  const { data } = (await made.json()) as { data: { id: number } };
  expect(data.id).toBe(1);
  const sent = Promise.withResolvers<Response>();
  const request = ({
    url,
    method,
    header,
    data: body,
  }: {
    url: string;
    method: string;
    header: Record<string, string>;
    data: object;
  }) =>
    fetch(url, {
      method,
      headers: { "Content-Type": "application/json", ...header },
      body: JSON.stringify(body),
    }).then(sent.resolve, sent.reject);
  const code = shownOn("mini-program.md").replace("http://127.0.0.1:3080", app.url);
  runInNewContext(code, { wx: { request }, token: Authorization.replace("Bearer ", "") });
  expect((await sent.promise).status).toBe(200);
  const { data: changed } = (await (await fetch(`${app.url}/api/articles/1`, { headers })).json()) as { data: object };
  expect(changed).toMatchObject({ title: "New title", body: "kept" });
});
