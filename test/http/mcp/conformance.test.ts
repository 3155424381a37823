import { expect, test } from "vitest";
import { allowedHosts } from "../../../server/http/conventions/allowed-hosts.ts";
import { guardControl } from "../../../server/http/conventions/control.ts";
import { pipeline } from "../../../server/http/pipeline.ts";
import { serveMcp } from "../../../server/mcp/serve-mcp.ts";
import { consoleToken } from "../../support/app/console-token.ts";
import { authorizingProxy } from "../../support/mcp/authorizing-proxy.ts";
import { fixtureContent } from "../../support/mcp/fixture-content.ts";
import { startMcpApp } from "../../support/mcp/mcp-app.ts";
import { runConformance } from "../../support/mcp/run-conformance.ts";
import { listen } from "../../support/process/listen.ts";

/** Scenarios of capabilities that Hearth does not declare. */
const undeclared = [
  // No action asks the person or the model: these need a session, which the newest revision has no more.
  ...["tools-call-sampling", "tools-call-elicitation", "elicitation-sep1034-defaults", "elicitation-sep1330-enums"],
  // Streams that a client resumes belong to sessions, too. Each answer of Hearth is complete within seconds.
  ...["server-sse-polling", "server-sse-multiple-streams"],
  // Logging is deprecated by the newest revision.
  ...["logging-set-level", "tools-call-with-logging"],
  // A resource is read again instead: an agent acts in turns.
  ...["resources-subscribe", "resources-unsubscribe"],
  // The arguments are numbers of orders and URLs, which an agent has from a tool.
  "completion-complete",
];

/** Scenarios that call a tool, resource or prompt of the suite by its name. */
const fixtures = [
  ...["simple-text", "image", "audio", "embedded-resource", "mixed-content", "error", "with-progress"].map(
    (name) => `tools-call-${name}`,
  ),
  ...["json-schema-2020-12", "resources-read-text", "resources-read-binary", "resources-templates-read"],
  ...["simple", "with-args", "embedded-resource", "with-image"].map((name) => `prompts-get-${name}`),
];

test("a server of the suite's fixtures passes every scenario of the declared capabilities", async () => {
  const handler = pipeline(
    [allowedHosts({ allowed: [] }), guardControl({ isPage: () => false }), serveMcp(fixtureContent, "1.0.0")],
    (_error, _req, res) => res.writeHead(403).end("{}"),
  );
  await using server = await listen(handler);
  const { code, stdout } = await runConformance(`${server.url}/mcp`, undeclared);
  expect(code, stdout).toBe(0);
});

test("Hearth's own server passes every scenario that needs no fixture", async () => {
  await using mcp = await startMcpApp();
  await using proxy = await authorizingProxy(mcp.app.consoleUrl, consoleToken);
  const { code, stdout } = await runConformance(`${proxy.url}/mcp`, [...undeclared, ...fixtures]);
  expect(code, stdout).toBe(0);
  for (const name of ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"])
    expect(stdout).toMatch(new RegExp(`✓ ${name}: [1-9]`));
});
