/** Calls of the operations that a description has, on a running application server. */
import type { Operation, Parameter } from "./api-description.ts";
import { record, recipes } from "./call-recipes.ts";
import type { Call, DescribedServer } from "./described-call.ts";
import { pngBytes } from "../files.ts";
import type { ReceivedReply } from "./reply-checker.ts";
import { consoleToken } from "./test-app.ts";
import { eventually } from "../eventually.ts";

/** Headers by the operation's own way to be let in. */
function credentials({ security }: Operation, { session }: DescribedServer): Readonly<Record<string, string>> {
  if (security.some((way) => "sessionToken" in way)) return session;
  return security.some((way) => "consoleToken" in way) ? { Authorization: `Bearer ${consoleToken}` } : {};
}

/** The media type in which a call sends its body: JSON where there is a choice. */
export const sentType = ({ requestBody }: Operation): string | undefined => {
  const types = Object.keys(requestBody?.content ?? {});
  return types.find((one) => one === "application/json") ?? types[0];
};

/** A call that the description says is valid, by its examples and by what the operation needs besides. */
export async function validCall(operation: Operation, server: DescribedServer): Promise<Call> {
  const { method, path, operationId } = operation;
  const recipe = (await recipes[operationId]?.(server)) ?? {};
  const type = sentType(operation);
  const content = type === undefined ? undefined : operation.requestBody?.content[type];
  const isMultipart = type === "multipart/form-data";
  return {
    method,
    path,
    params: recipe.params ?? (await exampleParams(operation, server)),
    query: recipe.query ?? requiredQuery(operation.parameters ?? []),
    headers: {
      ...(type !== undefined && !isMultipart && { "Content-Type": type }),
      ...(recipe.headers ?? credentials(operation, server)),
    },
    ...(recipe.raw !== undefined && { raw: recipe.raw }),
    ...(isMultipart ? { raw: multipart(content?.schema ?? {}) } : { body: recipe.body ?? content?.example }),
  };
}

function multipart(schema: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData();
  for (const [name, one] of Object.entries((schema["properties"] ?? {}) as Record<string, Record<string, unknown>>))
    if (one["format"] === "binary") form.set(name, new Blob([pngBytes(2, 2)]), "picture.png");
    else form.set(name, (one["examples"] as string[] | undefined)?.[0] ?? "text");
  return form;
}

const requiredQuery = (parameters: readonly Parameter[]) =>
  parameters
    .filter((one) => one.in === "query" && one.required)
    .map(({ name, schema, example }) => `${name}=${String(example ?? (schema["examples"] as unknown[])[0])}`)
    .join("&");

/** An id of something that the path's own collection has, made or found; the parameters' examples for the others. */
async function exampleParams(operation: Operation, server: DescribedServer): Promise<Record<string, string>> {
  const params = (operation.parameters ?? []).filter((one) => one.in === "path");
  const examples = Object.fromEntries(params.map(({ name, example }) => [name, String(example)]));
  if (!("id" in examples)) return examples;
  const collection = operation.path.slice(0, operation.path.indexOf("/{id}"));
  return { ...examples, id: (await createdId(collection, server)) ?? (await listedId(collection, server)) ?? "1" };
}

async function createdId(path: string, server: DescribedServer): Promise<string | undefined> {
  const create = server.operations.find((one) => one.path === path && one.method === "POST");
  if (!create) return undefined;
  const { status, headers, text } = await send(await validCall(create, server), server);
  if (status !== 201) throw new Error(`POST ${path} answered ${String(status)}: ${text}`);
  return headers.get("location")?.split("/").at(-1);
}

async function listedId(path: string, server: DescribedServer): Promise<string | undefined> {
  const list = server.operations.find((one) => one.path === path && one.method === "GET");
  if (!list) return undefined;
  await record(server);
  return eventually(async () => {
    const { text } = await send(await validCall(list, server), server);
    const id = /"id":"?([\w-]+)/.exec(text)?.[1];
    if (id === undefined) throw new Error(`GET ${path} lists nothing of which there is an id: ${text}`);
    return id;
  });
}

/** Sends a call; a redirect is a reply like any other, and of a stream of events only the head is read. */
export async function send(
  call: Call,
  { app }: { readonly app: { readonly url: string; readonly consoleUrl?: string } },
): Promise<ReceivedReply> {
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(call.params[name] ?? ""));
  const base = path.startsWith("/console/") ? (app.consoleUrl ?? app.url) : app.url;
  const response = await fetch(`${base}${path}${call.query === "" ? "" : `?${call.query}`}`, {
    method: call.method,
    headers: call.headers,
    redirect: "manual",
    body: call.raw ?? writtenBody(call) ?? null,
  });
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (isStream) await response.body?.cancel();
  return { status: response.status, headers: response.headers, text: isStream ? "" : await response.text() };
}

function writtenBody({ body, headers }: Call): string | undefined {
  if (body === undefined) return undefined;
  if (headers["Content-Type"] !== "application/x-www-form-urlencoded") return JSON.stringify(body);
  const fields = typeof body === "object" && body !== null ? Object.entries(body) : [];
  return new URLSearchParams(
    fields.map(([name, value]): [string, string] => [name, typeof value === "string" ? value : JSON.stringify(value)]),
  ).toString();
}
