/**
 * Serves routes by the REST conventions: method table (405 + Allow, HEAD, OPTIONS), validation by the endpoint's
 * schemas, the login-state protocol, the status package, JSON or XML.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { z } from "zod";
import { carriesPackage, type EndpointSpec } from "../contract/endpoint.ts";
import { readFilterName } from "../contract/app/filters.ts";
import { ownFields } from "../contract/app/resources.ts";
import { statusPackageHeader, type StatusPackage } from "../contract/app/status-package.ts";
import { propertiesOf } from "../json-schema/json-schema.ts";
import { textsForIndexes } from "./formats/enum-index.ts";
import { notesOf } from "./recording/exchange-notes.ts";
import { jsonSchemaOf, textSchemaOf } from "./formats/coerce-text.ts";
import type { XmlGuide } from "./formats/xml-writer.ts";
import { loginRequired, refuse } from "./http-error.ts";
import { writeJson, type JsonStyle } from "./formats/json-writer.ts";
import {
  requireCompleteLogin,
  statusPackage,
  tokenOf,
  type LoginPolicy,
  type Session,
  type SessionLookup,
} from "./login.ts";
import { validate } from "./messages/validate.ts";
import { tagAsFor } from "./conventions/compress.ts";
import { pathOf, queryOf, type Middleware } from "./middleware.ts";
import { formatFor, isBodyless, sendBody, textOfBody } from "./conventions/negotiate.ts";
import { parseForm, repeated, type FormFields } from "./formats/parse-form.ts";
import { maxBodyBytes, readBody } from "./formats/read-body.ts";
import type { PathMatch } from "./path-table.ts";
import { routeOf, type MethodTable, type RouteTable } from "./route-table.ts";
import { dataOf, type Reply, type Route } from "./route.ts";
import { sendWritten } from "./user-routes/send-written.ts";
import type { CheckNames } from "./unknown-names.ts";
import { varyBy } from "./conventions/vary.ts";

const ownMembers: ReadonlySet<string> = new Set(Object.keys(ownFields));

export interface Conventions {
  readonly sessions: SessionLookup;
  readonly policy: LoginPolicy;
  readonly style: JsonStyle;
  /** Enum fields of requests may also be index numbers (our choice; setting enum_as_text off). */
  readonly enumIndexes?: boolean;
  /** Checks for names that the operation does not know; without it they are ignored. */
  readonly checkNames?: CheckNames;
  /** The most bytes of an uploaded file. */
  readonly maxFileBytes?: number;
  /** Unix time in ms. */
  readonly now: () => number;
}

/**
 * Serves routes and passes on all other requests. `table` is called for each request, because routes may change while
 * the server runs.
 */
export function serveRoutes(table: () => RouteTable, conventions: Conventions): Middleware {
  return (req, res, next) => {
    const match = table()(pathOf(req));
    if (!match) {
      next();
      return;
    }
    return answer(req, res, match, conventions);
  };
}

function allow(table: MethodTable): string {
  return [...table.keys(), ...(table.has("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
}

function answer(
  req: IncomingMessage,
  res: ServerResponse,
  { value: methods, params }: PathMatch<MethodTable>,
  conventions: Conventions,
): Promise<void> | undefined {
  if (req.method === "OPTIONS") {
    sendOptions(req, res, methods, conventions);
    return undefined;
  }
  const route = routeOf(methods, req.method);
  if (!route)
    throw refuse(
      "method.allowed",
      { method: String(req.method), allowed: allow(methods) },
      {
        headers: { Allow: allow(methods) },
      },
    );
  return call(req, res, route, params, conventions);
}

/** The abilities of a resource (spec: REST methods 7): operations, content types, limits. */
function sendOptions(req: IncomingMessage, res: ServerResponse, table: MethodTable, conventions: Conventions): void {
  const operations = [...table.values()].map(({ spec }) => ({
    method: spec.method,
    access: spec.access,
    ...acceptedBy(spec),
    ...limitsOf(spec, conventions),
  }));
  res.setHeader("Allow", allow(table));
  sendBody(req, res, 200, { allow: allow(table).split(", "), operations }, formatFor(req, res), conventions.style);
}

function acceptedBy(spec: EndpointSpec): { accepts?: string[] } {
  if (spec.bodyType === "multipart") return { accepts: ["multipart/form-data"] };
  if (spec.rawBody) return { accepts: Object.keys(spec.rawBody) };
  if (!spec.body) return {};
  const form = "application/x-www-form-urlencoded";
  return { accepts: spec.bodyType === "form" ? [form] : ["application/json", form, "application/xml"] };
}

interface Limits {
  readonly page_size?: number;
  readonly body_bytes?: number;
  readonly file_bytes?: number | undefined;
  readonly extensions?: readonly string[];
}

function limitsOf(spec: EndpointSpec, { maxFileBytes }: Conventions): { limits?: Limits } {
  const { page_size } = spec.query ? propertiesOf(jsonSchemaOf(spec.query)) : {};
  const pageSize = (page_size as { maximum?: number } | undefined)?.maximum;
  if (pageSize !== undefined) return { limits: { page_size: pageSize } };
  if (spec.parts) return { limits: { file_bytes: maxFileBytes, extensions: spec.parts.extensions } };
  const bodyBytes = spec.maxBodyBytes ?? (spec.body && maxBodyBytes);
  return bodyBytes === undefined ? {} : { limits: { body_bytes: bodyBytes } };
}

async function call(
  req: IncomingMessage,
  res: ServerResponse,
  route: Route,
  rawParams: PathMatch<MethodTable>["params"],
  conventions: Conventions,
): Promise<void> {
  const { spec } = route;
  notesOf(res).route = spec;
  if (carriesPackage(spec) || spec.basicAuth !== undefined) {
    res.setHeader("Cache-Control", "private, no-cache");
    varyBy(res, "Authorization", "X-Access-Token");
  }
  const rawQuery = parseForm(queryOf(req), "query");
  const session = await authenticate(req, res, rawQuery, spec.access, conventions);
  const format = spec.produces ? "json" : formatFor(req, res, spec);
  const check = (schema: z.ZodType, value: unknown, where: string, textSchema = schema) =>
    validate(schema, conventions.enumIndexes ? textsForIndexes(textSchema, value) : value, where);
  conventions.checkNames?.(res, spec, "query", rawQuery);
  const { own, filters: written } = queryFor(spec, rawQuery);
  const filters = (
    conventions.enumIndexes && spec.query ? textsForIndexes(spec.query, written) : written
  ) as FormFields;
  const params = spec.params && check(spec.params, rawParams, "path");
  const query = spec.query && check(spec.query, own, "query");
  const body =
    spec.body && check(spec.body, await readNamedBody(req, res, spec, spec.body, conventions), "body", spec.textBody);
  if (spec.produces && session) setPackage(res, statusPackage(session, conventions.policy, conventions.now()));
  let reply: Reply;
  try {
    const input = { params: params as never, query: query as never, body: body as never };
    const checkNames = (read: unknown) => conventions.checkNames?.(res, spec, "body", read);
    reply = (await route.handle(input, { req, res, session, format, filters, checkNames })) ?? {};
  } catch (error) {
    if (!res.headersSent) res.removeHeader(statusPackageHeader);
    throw error;
  }
  if (reply.sent) return;
  send(req, res, route, reply, reply.session ?? session, format, conventions);
}

/** The fields of a query, apart from those that filter. @throws HttpError 400 for a repeated one that the operation takes once */
function queryFor({ query, filters }: EndpointSpec, fields: FormFields) {
  const known = propertiesOf(query ? jsonSchemaOf(query) : {});
  // A field may be named as a member that every other object has.
  const empty = () => Object.create(null) as Record<string, string | readonly string[]>;
  const [own, filtering] = [empty(), empty()];
  for (const [name, texts] of Object.entries(fields))
    if (filters && readFilterName(name, filters.fields)) filtering[name] = texts;
    else if (typeof texts !== "string" && Object.hasOwn(known, name)) throw repeated("query", name);
    else own[name] = texts;
  return { own, filters: filtering };
}

/** Reads the body, and checks its names before its values: a misspelt name explains a missing one. */
async function readNamedBody(
  req: IncomingMessage,
  res: ServerResponse,
  spec: EndpointSpec,
  schema: z.ZodType,
  { checkNames }: Conventions,
): Promise<unknown> {
  const accept = spec.bodyType === "form" ? "form" : "any";
  const body = await readBody(req, accept, spec.textBody ?? schema, spec.maxBodyBytes);
  checkNames?.(res, spec, "body", body);
  return body;
}

async function authenticate(
  req: IncomingMessage,
  res: ServerResponse,
  query: Readonly<Record<string, unknown>>,
  access: Route["spec"]["access"],
  { sessions, policy, now }: Conventions,
): Promise<Session | undefined> {
  if (access !== "token" && access !== "login") return undefined;
  const token = tokenOf(req, query);
  const session = token === undefined ? undefined : await sessions.find(token);
  // An expired one is noted, too, so that the record of the 401 tells why.
  if (session) notesOf(res).session = session;
  if (!session || session.expiresAt <= now()) throw loginRequired("Bearer");
  if (access === "login") requireCompleteLogin(session, policy);
  return session;
}

/** For a reply whose body cannot contain the package. */
const setPackage = (res: ServerResponse, carried: StatusPackage) =>
  res.setHeader(statusPackageHeader, Buffer.from(JSON.stringify(carried)).toString("base64url"));

/** How the data of an answer is read when a client sends an item of it back; it may do without what the server writes. */
function guideOf(readAs: z.ZodType, isList: boolean, isCarried: boolean): XmlGuide {
  const read = textSchemaOf(readAs);
  const item: XmlGuide = { ...read, member: (name) => (ownMembers.has(name) ? undefined : read.member(name)) };
  const data: XmlGuide = isList ? { types: ["array"], member: () => undefined, item: () => item } : item;
  const around = { types: ["object"], item: () => undefined };
  return isCarried ? { ...around, member: (name) => (name === "data" ? data : undefined) } : data;
}

function send(
  req: IncomingMessage,
  res: ServerResponse,
  { spec }: Route,
  reply: Reply,
  session: Session | undefined,
  format: Parameters<typeof sendBody>[4],
  { policy, style, now }: Conventions,
): void {
  if (session) notesOf(res).session = session;
  const status = reply.status ?? spec.status;
  for (const [name, value] of Object.entries(reply.headers ?? {})) res.setHeader(name, value);
  const carried = session && statusPackage(session, policy, now());
  if (reply.written) {
    if (carried && (reply.written.type !== undefined || req.method === "HEAD")) setPackage(res, carried);
    return sendWritten(res, status, reply.written, carried && writeJson(carried, style));
  }
  const bodyless = isBodyless(status);
  if (carried && (bodyless || req.method === "HEAD")) setPackage(res, carried);
  const data = dataOf(spec, reply);
  const body = carried ? (spec.flat ? { ...(data as object), status: carried } : { status: carried, data }) : data;
  const guide = spec.readAs && guideOf(spec.readAs, Array.isArray(data), carried !== undefined);
  if (bodyless) {
    if (status === 304 && data !== undefined) tagAsFor(() => textOfBody(req, body, format, style, guide), req, res);
    res.statusCode = status;
    if (status !== 204 && status !== 304) res.setHeader("Content-Length", 0);
    res.end();
    return;
  }
  sendBody(req, res, status, body, format, style, guide);
}
