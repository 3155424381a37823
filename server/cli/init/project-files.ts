/** The files that `hearth init` writes into a project. */
import { gitIgnore } from "../../process/settings/known-directories.ts";

/** The project's data directory. */
export const projectDataDir = ".hearth";

const config = `{
  "data_dir": "${projectDataDir}",
  "collections_dir": "collections"
}
`;

const notes = `{
  "description": "Notes of the people who are logged in.",
  "type": "object",
  "required": ["title"],
  "properties": {
    "title": { "type": "string", "minLength": 1, "maxLength": 80 },
    "text": { "type": "string", "maxLength": 2000 },
    "done": { "type": "boolean", "default": false }
  },
  "x-hearth": {
    "search": ["title", "text"],
    "seed": [{ "title": "Read AGENTS.md" }]
  }
}
`;

const firstTest = `import { join } from "node:path";
import { test } from "hearthkit/vitest";
import { expect, vi } from "vitest";

// The first test waits until Hearth has started.
vi.setConfig({ testTimeout: 120_000 });

test.override({ hearthOptions: { collections_dir: join(import.meta.dirname, "../collections"), model: false } });

test("an order is placed, paid and checked", async ({ hearth }) => {
  const ada = await hearth.phone("ada");
  const placed = await ada.request("POST", "/api/orders", { description: "Tea", amount: 199 });
  await ada.pay(placed.body.data);
  const { body } = await ada.request("GET", \`/api/orders/\${placed.body.data.id}\`);
  expect(body.data).toMatchObject({ amount: 199, trade_state: "SUCCESS" });
});

test("a note can be written and read again", async ({ hearth }) => {
  const ada = await hearth.phone("ada");
  const { status } = await ada.request("POST", "/api/notes", { title: "Milk" });
  expect(status).toBe(201);
  const { body } = await ada.request("GET", "/api/notes?q=milk");
  expect(body.data).toMatchObject([{ title: "Milk", done: false }]);
});

test("a client without a login is told its next step", async ({ hearth }) => {
  const response = await fetch(\`\${hearth.urls.app}/api/notes\`);
  expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
});
`;

const agents = `# For agents that work in this project

This project uses Hearth as its local backend. It runs an application server, a simulator of the identity and payment platform,
and a model service. It works offline, needs no account, and runs on Node 24.15 or newer.

## Files

- \`hearth.config.json\`: settings. Data of the runs is in \`.hearth\`, which git ignores.
- \`collections/*.json\`: JSON Schema files with \`x-hearth\`, one per collection. \`collections/notes.json\` is served at
  \`/api/notes\` with every verb, paging, search and seeds. A saved change takes effect at once. An invalid file is reported with
  its line, and the last valid version stays in effect.
- \`test/hearth.test.js\`: the first tests: a payment, a collection, and a client without a login.

## Commands

- \`npx vitest run\`: the tests. Each worker starts a separate Hearth on free ports, and each test starts with the same state.
- \`npx hearthkit start --headless\`: run everything until Ctrl-C. \`http://127.0.0.1:3080\` is the application server, with
  \`/swagger\`; \`http://127.0.0.1:3082/console\` the console; \`http://127.0.0.1:3081\` the platform simulator;
  \`http://127.0.0.1:11434\` the model service.
- \`npx hearthkit token ada\`: a session token of a simulated user, for \`Authorization: Bearer\`.
- \`npx hearthkit exec --import . --coverage -- COMMAND\`: run a command against a separate Hearth with the collections of
  this project, and list the routes it called.
- \`npx hearthkit types\`: write \`hearth-client.js\` and its types from the API; \`--check\` fails if they are outdated.
- \`npx hearthkit agent setup\`: add Hearth's MCP server and its skill to your configuration in this folder. The skill has ten
  commands with their outputs: place, pay and refund orders, read requests, arm faults.
- \`npx hearthkit --help\`, and \`--help\` after each command.

## In a test

\`import { test } from "hearthkit/vitest"\` gives the fixture \`hearth\`:

- \`await hearth.phone("ada")\`: a logged-in client; \`request(method, path, body)\`, \`upload(name, content)\`,
  \`pay(reply.body.data)\` of an order.
- \`hearth.urls\`, \`hearth.token\`: for code under test that sends its own requests.
- \`await hearth.waitForRequest({ method: "POST", path: "/api/notes" })\`: a request that the code under test sent.
- \`await hearth.inject({ path: "/api/**", status: 503, times: 1 })\`: a fault; \`await hearth.clock.advance(ms)\`: expiry.
- \`await hearth.snapshot()\`, \`await hearth.restore(name)\`, \`await hearth.reset()\`.

## Rules

- A call without a complete login returns 401, and \`WWW-Authenticate\` names the next step. Follow it; never skip it.
- A payment has succeeded only if query order returns \`trade_state\` SUCCESS, not if a notification or the client says so.
- Read the API from \`GET /swagger/docs/v1\` instead of guessing it.
- Change a schema in \`collections\` instead of writing a server.
`;

export interface ProjectFile {
  /** Below the project's folder, with '/'. */
  readonly path: string;
  readonly text: string;
}

export const projectFiles: readonly ProjectFile[] = [
  { path: "hearth.config.json", text: config },
  { path: `${projectDataDir}/${gitIgnore.name}`, text: gitIgnore.text },
  { path: "collections/notes.json", text: notes },
  { path: "test/hearth.test.js", text: firstTest },
  { path: "AGENTS.md", text: agents },
];
