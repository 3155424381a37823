/** The description of the control routes, and the page that shows it. */
import type { Logger } from "pino";
import type { Middleware } from "../http/middleware.ts";
import { createApiDocs } from "../http/openapi/api-docs.ts";
import { createDocumentation, type DocumentationSource } from "../http/openapi/documentation-file.ts";
import type { Route } from "../http/route.ts";

export interface SimDocs extends DocumentationSource {
  /** The program's version. */
  readonly version: string;
}

const tags: Readonly<Record<string, string>> = {
  state: "The simulator's complete state as one document.",
  platform: "How the platform behaves, its merchants and its keys.",
  people: "People of the platform and their permissions for the app.",
  client: "Functions of the platform's client for mini-programs.",
  "mini-program": "Codes and links that open the mini-program, messages to people, and content checks.",
  orders: "Orders, refunds and notifications: their results, and the buyers' acts.",
  "profit-sharing": "Parts of orders that merchants pass on to others.",
  transfers: "Transfers of merchants to people, who confirm them.",
  contracts: "Contracts by which merchants deduct money from people.",
  "pay-pages": "Pages on which you act as the buyer.",
  faults: "Injected faults.",
  "receiver-checks": "Checks of a receiver of payment notifications.",
};

const introduction = `
Tests and the console use these routes to act as the platform's client, as a buyer, or as the platform.

<details>
<summary>Access, formats and conventions</summary>

Programs on the machine that runs Hearth need no credentials. Other machines send the run's console token as
\`Authorization: Bearer TOKEN\`. Pages of other origins are refused. The platform's own API for servers (login, payments of
both versions) is not described here.

Bodies are JSON, XML or, where all fields are plain, a form; replies are JSON. Every error is \`{Message, code, details?}\`, in
XML if \`Accept\` asks for it. Unknown paths and methods get 404. Paths ignore case. A person is created when first named.

</details>
`.trim();

export function createSimDocs(routes: readonly Route[], { version, ...source }: SimDocs, log: Logger): Middleware {
  return createApiDocs({
    page: "/sim/swagger",
    document: "/sim/openapi.json",
    documentation: createDocumentation(source),
    log,
    chinese: async () => (await import("../contract/messages/zh/api/simulator.ts")).simulatorApiZh,
    api: () => ({
      title: "Hearth platform simulator",
      version: `v1 (${version})`,
      introduction,
      tags,
      specs: routes.map(({ spec }) => spec),
      servers: [{ url: "/", description: "The server of this description." }],
      basicAuth: false,
      enumAsText: true,
      redirect: undefined,
    }),
  });
}
