import { HearthApi } from "../../actions/hearth-api.ts";
import { getRequest, listRequests } from "../../contract/console/traffic/request-endpoints.ts";
import type { Locate } from "../action-tools.ts";
import type { McpResource } from "../mcp-content.ts";
import { textResources } from "./text-parts.ts";

const json = (value: unknown) => JSON.stringify(value, undefined, 1);

/** The last recorded requests, and each of them as a whole. */
export const requestResources = (locate: Locate): McpResource[] => [
  ...textResources({
    name: "requests",
    uri: "hearth://requests",
    title: "The last requests",
    description: "The last 50 recorded requests, newest first, without headers and bodies.",
    mimeType: "application/json",
    readText: async () => json(await new HearthApi(locate).call(listRequests, { query: { limit: 50 } })),
  }),
  ...textResources({
    name: "request",
    uri: "hearth://requests/{id}",
    title: "A recorded request",
    description: "A recorded request with its headers and bodies, and its answer.",
    mimeType: "application/json",
    readText: async ({ id = "" }) => json(await new HearthApi(locate).call(getRequest, { params: { id } })),
  }),
];
