/** The API descriptions of the application server and of its console, each with its page. */
import type { IncomingMessage } from "node:http";
import type { Logger } from "pino";
import type { EndpointSpec } from "../contract/endpoint.ts";
import type { Settings } from "../contract/process/settings.ts";
import { createApiDocs } from "../http/openapi/api-docs.ts";
import { createDocumentation, type DocumentationSource } from "../http/openapi/documentation-file.ts";
import type { Route } from "../http/route.ts";
import { appIntroduction, consoleIntroduction } from "./api-texts.ts";
import type { CodeRoutes } from "./code-routes/code-routes.ts";
import type { UserFiles } from "./collections/user-files.ts";
import type { ConsoleDeps } from "./console/console-api.ts";
import { appTags, consoleTags } from "./features.ts";
import { descriptionPath } from "./refusal-forms.ts";

interface Options {
  readonly settings: Settings;
  readonly log: Logger;
  readonly apiDocs: DocumentationSource;
  readonly console: Pick<ConsoleDeps, "version" | "addresses">;
  readonly routes: readonly Route[];
  readonly consoleRoutes: readonly Route[];
  readonly userFiles: Pick<UserFiles, "specs">;
  readonly codeRoutes: CodeRoutes | undefined;
  readonly consoleOrigin: (req: IncomingMessage) => string;
}

/** The relative address fits every server that sends the description; the absolute one fits a saved copy of it. */
const serversOf = (address: string) => [
  { url: "/", description: "The server of this description." },
  ...(address === "" ? [] : [{ url: address, description: "The server's own address." }]),
];

/** A route of code replaces that of a file. */
function describedBy(builtIn: readonly EndpointSpec[], files: readonly EndpointSpec[], codeRoutes?: CodeRoutes) {
  const code = codeRoutes?.specs([...builtIn, ...files]) ?? [];
  const replaced = new Set(code.map(({ method, path }) => `${method} ${path}`));
  return [...builtIn, ...files.filter(({ method, path }) => !replaced.has(`${method} ${path}`)), ...code];
}

export function describeApis(options: Options) {
  const { settings, log, apiDocs, console, userFiles, codeRoutes, consoleOrigin } = options;
  const documentation = createDocumentation(apiDocs);
  const specs = options.routes.map(({ spec }) => spec);
  const consoleSpecs = options.consoleRoutes.map(({ spec }) => spec);
  const shared = (address: string) => ({
    version: `v1 (${console.version})`,
    basicAuth: settings.basic_auth,
    redirect: settings.query_normalization === "off" ? undefined : Number(settings.query_normalization),
    servers: serversOf(address),
  });
  return {
    app: createApiDocs({
      page: "/swagger",
      document: descriptionPath,
      documentation,
      log,
      chinese: async () => (await import("../contract/messages/zh/api/app.ts")).appApiZh,
      framedBy: consoleOrigin,
      api: () => ({
        ...shared(console.addresses().app),
        title: "Hearth application server",
        enumAsText: settings.enum_as_text,
        introduction: appIntroduction,
        tags: appTags,
        specs: describedBy(specs, userFiles.specs(), codeRoutes),
      }),
    }),
    console: createApiDocs({
      page: "/console/api/docs",
      document: "/console/api/openapi.json",
      documentation,
      log,
      chinese: async () => (await import("../contract/messages/zh/api/console.ts")).consoleApiZh,
      api: () => ({
        ...shared(console.addresses().console),
        title: "Hearth console",
        enumAsText: true,
        introduction: consoleIntroduction,
        tags: consoleTags,
        specs: consoleSpecs,
      }),
    }),
  };
}
