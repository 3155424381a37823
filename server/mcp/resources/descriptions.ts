/** The descriptions of the services' APIs, from the running Hearth. */
import { ResourceNotFoundError } from "@modelcontextprotocol/server";
import { byConsoleHeader } from "../../contract/console/by-console.ts";
import type { Locate } from "../action-tools.ts";
import type { McpResource } from "../mcp-content.ts";
import { textResources } from "./text-parts.ts";

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
}

const services = ["app", "simulator", "console"] as const;

/** @throws Error without a running Hearth; ResourceNotFoundError for an unknown service */
async function readDescription(service: string, locate: Locate): Promise<OpenApi> {
  const { app, provider, consoleToken } = await locate();
  const address = {
    app: `${app}/swagger/docs/v1`,
    simulator: `${provider}/sim/openapi.json`,
    console: `${app}/console/api/openapi.json`,
  }[service];
  if (address === undefined) throw new ResourceNotFoundError(`hearth://api/${service}`);
  const headers = { Authorization: `Bearer ${consoleToken}`, [byConsoleHeader]: "1" };
  const reply = await fetch(address, { headers });
  if (!reply.ok) throw new Error(`The description of ${service} is not served: HTTP ${String(reply.status)}.`);
  return (await reply.json()) as OpenApi;
}

const operationsOf = ({ paths }: OpenApi) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );

/** The components to which a part of a description refers, directly or by others. */
function componentsOf(part: unknown, { components }: OpenApi): Readonly<Record<string, unknown>> {
  const found = new Map<string, unknown>();
  const texts = [JSON.stringify(part)];
  for (const text of texts)
    for (const [, kind = "", name = ""] of text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
      const component = components[kind]?.[name];
      if (component === undefined || found.has(`${kind}/${name}`)) continue;
      found.set(`${kind}/${name}`, component);
      texts.push(JSON.stringify(component));
    }
  return Object.fromEntries(found);
}

async function describeOperation(service: string, id: string, locate: Locate): Promise<string> {
  const description = await readDescription(service, locate);
  const found = operationsOf(description).find(({ operation }) => operation.operationId === id);
  if (!found) throw new ResourceNotFoundError(`hearth://api/${service}/${id}`);
  return JSON.stringify({ ...found, components: componentsOf(found.operation, description) }, undefined, 1);
}

/** For each service the list of its operations; for each operation its parameters, bodies and replies. */
export const descriptionResources = (locate: Locate): McpResource[] => [
  ...services.flatMap((service) =>
    textResources({
      name: `api_${service}`,
      uri: `hearth://api/${service}`,
      title: `Operations of the ${service}`,
      description: `One line for each operation: method, path, id and summary. hearth://api/${service}/ID has its schemas.`,
      mimeType: "text/plain",
      readText: async () =>
        operationsOf(await readDescription(service, locate))
          .map(
            ({ method, path, operation: { operationId, summary = "" } }) =>
              `${method} ${path} ${operationId}: ${summary}`,
          )
          .join("\n"),
    }),
  ),
  ...textResources({
    name: "api_operation",
    uri: "hearth://api/{service}/{operation}",
    title: "One operation",
    description: `Parameters, bodies and replies of an operation in the form of OpenAPI. Services: ${services.join(", ")}.`,
    mimeType: "application/json",
    readText: ({ service = "", operation = "" }) => describeOperation(service, operation, locate),
  }),
];
