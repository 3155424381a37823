import { expect, test } from "vitest";
import { allowedHosts } from "../../../server/http/conventions/allowed-hosts.ts";
import { guardControl } from "../../../server/http/conventions/control.ts";
import { pipeline } from "../../../server/http/pipeline.ts";
import { serveMcp } from "../../../server/mcp/serve-mcp.ts";
import { fixtureContent } from "../../support/mcp/fixture-content.ts";
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

test("a server of the suite's fixtures passes every scenario of the declared capabilities", async () => {
  const handler = pipeline(
    [allowedHosts({ allowed: [] }), guardControl({ isPage: () => false }), serveMcp(fixtureContent, "1.0.0")],
    (_error, _req, res) => res.writeHead(403).end("{}"),
  );
  await using server = await listen(handler);
  const { code, stdout } = await runConformance(`${server.url}/mcp`, undeclared);
  expect(code, stdout).toBe(0);
});
