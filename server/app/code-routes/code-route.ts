/** A route of the code as one of the server: what its handler is told of a request, and what becomes of its answer. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { answerHeaders } from "../../contract/answer-headers.ts";
import { endpoint, type EndpointSpec } from "../../contract/endpoint.ts";
import { inEnglish } from "../../contract/messages/in-english.ts";
import { hideKeys } from "../../contract/process/access-keys.ts";
import type { EventStream, EventStreams } from "../../http/connection/bodies/event-streams.ts";
import { leftOf } from "../../http/connection/bodies/left-of.ts";
import { isFromHere } from "../../http/connection/peer/caller.ts";
import { parseForm } from "../../http/formats/parse-form.ts";
import { HttpError, loginRequired, refuse } from "../../http/http-error.ts";
import { uidOf, type LoginPolicy, type Session } from "../../http/login.ts";
import { describeIssue, sentenceOf, type FieldProblem } from "../../http/messages/describe-issue.ts";
import { validate } from "../../http/messages/validate.ts";
import { headerTextsOf, queryOf } from "../../http/middleware.ts";
import { isInvalid } from "../../json-schema/predicates.ts";
import type { CallContext, Reply, Route } from "../../http/route.ts";
import { operationName, paramsOf } from "../../http/user-routes/user-paths.ts";
import { stackOf, type CodeRoutes } from "./code-routes.ts";
import { CallLost, CodeError } from "./code-errors.ts";
import { nameOfRoute, type CodeAnswer, type CodeFailure, type CodeRequest, type CodeRoute } from "./child-messages.ts";

export interface CallerDeps {
  readonly policy: LoginPolicy;
  /** The route that places an order for its caller. */
  readonly createOrder: Route;
  readonly streams: EventStreams;
  /** The known parts of a person; undefined when the user does not exist. */
  readonly personOf: (
    userId: number,
  ) => Promise<{ nick_name: string | null; avatar_url: string | null; phone_number: string | null } | undefined>;
}

const anyBody = z.unknown();

/** Answers with what the project's own code returns. */
const answeredByCode = endpoint({
  id: "answeredByCode",
  tag: "code-routes",
  method: "GET",
  path: "/",
  access: "none",
  status: 200,
  query: z.looseObject({}),
  data: anyBody,
  anyForm: true,
});

const hasBody = new Set(["POST", "PUT", "PATCH"]);

export function codeRoute(route: CodeRoute, code: CodeRoutes, deps: CallerDeps): Route {
  /** @throws HttpError 401 at a route without login */
  async function pay(order: unknown, context: CallContext): Promise<unknown> {
    const { spec, handle } = deps.createOrder;
    if (!context.session) throw loginRequired("Bearer");
    const body = validate(spec.body ?? anyBody, order, "body");
    const { data } =
      (await handle({ params: undefined as never, query: undefined as never, body: body as never }, context)) ?? {};
    return data;
  }
  const { method, path, login, description } = route;
  const names = paramsOf(path);
  const spec: EndpointSpec = {
    ...answeredByCode,
    id: operationName(route),
    member: answeredByCode.id,
    method,
    path,
    access: login ? "login" : "none",
    ...(description !== undefined && { about: description }),
    ...(names.length > 0 && { params: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))) }),
    ...(hasBody.has(method) && { body: anyBody }),
    ...(route.isStream && { produces: ["text/event-stream"] }),
  };

  async function handle(input: { params: unknown; body: unknown }, context: CallContext): Promise<Reply> {
    const { req, session, format } = context;
    const request: CodeRequest = {
      body: input.body ?? {},
      query: { ...parseForm(queryOf(req), "query") },
      params: { ...(input.params as Record<string, string> | undefined) },
      headers: headerTextsOf(req),
      ...(session && (await callerOf(session, deps))),
    };
    const reader = route.isStream ? readerOf(context, deps.streams) : undefined;
    const caller = { pay: (order: unknown) => pay(order, context), ...(reader && { reader }) };
    const result = await code.call(route, request, caller).catch((error: unknown) => {
      if (!(reader?.isOpen() === true && error instanceof CallLost)) throw refusalOf(error, route, code, req);
      // A client connects again to code that has started anew.
      return reader.cut();
    });
    if (result === undefined) return { sent: true };
    if (reader?.isOpen() === true) return reader.end();
    if ("answer" in result) return replyOf(result.answer, format === "json", route, code, req);
    if ("problems" in result) throw invalidBody(result.problems);
    const { status, code: wireCode, message, details } = result.refusal;
    throw new HttpError(status, wireCode, message, { details });
  }
  return { spec, handle };
}

/** The caller as a reader of server-sent events. */
function readerOf({ req, res }: CallContext, streams: EventStreams) {
  let stream: EventStream | undefined;
  const isGone = () => res.closed || res.writableEnded;
  return {
    left: leftOf(res),
    isOpen: () => res.headersSent,
    open: () => void (stream = streams.open(req, res)),
    async write(frame: string): Promise<boolean> {
      if (!stream || isGone()) return false;
      stream.write(Buffer.from(frame));
      if (!stream.isReady() && !isGone()) await canGoOn(res);
      return !isGone();
    },
    end(): Reply {
      stream?.end();
      return { sent: true };
    },
    cut: () => stream?.cut(),
  };
}

/** Resolves when more may be written, or when the reader is gone. */
async function canGoOn(res: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  res.once("drain", resolve).once("close", resolve);
  await promise;
  res.off("drain", resolve).off("close", resolve);
}

function invalidBody(problems: readonly FieldProblem[]): HttpError {
  const [first = { field: "", problem: isInvalid }] = problems;
  const details = problems.map(({ field, problem }) => ({ field: field || "body", problem }));
  return refuse(...sentenceOf(first, "body"), { details });
}

async function callerOf(
  session: Session,
  { policy, personOf }: CallerDeps,
): Promise<Pick<CodeRequest, "user" | "phone">> {
  const person = await personOf(session.userId);
  return {
    user: {
      id: session.userId,
      uid: uidOf(session, policy),
      ...(person?.nick_name != null && { nickName: person.nick_name }),
      ...(person?.avatar_url != null && { avatarUrl: person.avatar_url }),
    },
    ...(person?.phone_number != null && { phone: person.phone_number }),
  };
}

/** @throws HttpError 500 for headers that an answer cannot have */
function replyOf(answer: CodeAnswer, isJson: boolean, route: CodeRoute, code: CodeRoutes, req: IncomingMessage): Reply {
  const { status, json, content } = answer;
  const named = Object.entries(answer.headers);
  const type = named.find(([name]) => name.toLowerCase() === "content-type")?.[1];
  const headers = Object.fromEntries(named.filter(([name]) => name.toLowerCase() !== "content-type"));
  const issue = named.length > 0 ? answerHeaders.safeParse(headers).error?.issues[0] : undefined;
  if (issue) {
    const failure = { message: `headers: ${inEnglish(describeIssue(issue))}`, place: route.place };
    throw refusalOf(new CodeError("failed", failure), route, code, req);
  }
  const common = { status, headers };
  if (content !== undefined) return { ...common, written: { type: type ?? "application/octet-stream", content } };
  if (json === undefined) return { ...common };
  if (isJson || type !== undefined)
    return { ...common, written: { ...(type !== undefined && { type }), content: json } };
  return { ...common, data: JSON.parse(json) as unknown };
}

/** The error that the caller gets. A program on this machine is told where the code has failed. */
function refusalOf(error: unknown, route: CodeRoute, code: CodeRoutes, req: IncomingMessage): unknown {
  if (error instanceof CallLost) return lostBy[error.reason]();
  if (!(error instanceof CodeError)) return error;
  const failure = withoutSecrets(error.failure, req);
  const { place, source = nameOfRoute(route) } = failure;
  const cause = Object.assign(new Error(failure.message), { stack: stackOf(failure) });
  const where = place && code.placeText(place);
  const isShown = where !== undefined && isFromHere(req);
  const init = { cause, ...(isShown && { details: [{ field: where, problem: source }] }) };
  if (error.kind === "deadline") return refuse("route.deadline", { ms: route.deadlineMs }, init);
  if (error.kind === "ended") return refuse("route.ended", { reason: failure.message }, init);
  return isShown
    ? refuse("route.failedAt", { place: where, problem: failure.message }, init)
    : refuse("route.failed", undefined, init);
}

const lostBy = {
  restarting: () => refuse("route.restarting", undefined, { retryAfter: 1 }),
  busy: () => refuse("route.busy", undefined, { retryAfter: 1 }),
  unusable: () => refuse("route.unusable", undefined, { retryAfter: 5 }),
} as const satisfies Record<CallLost["reason"], () => HttpError>;

const secretHeaders = ["authorization", "x-access-token", "cookie"];

/** Code may put what it got into its errors, which are logged. */
function withoutSecrets({ place, ...failure }: CodeFailure, { headers }: IncomingMessage): CodeFailure {
  const secrets = secretHeaders.flatMap((name) => {
    const value = headers[name];
    return typeof value === "string" && value.length > 3 ? [value, value.replace(/^\S+ +/, "")] : [];
  });
  const hide = (text: string) =>
    hideKeys(
      secrets.reduce((left, secret) => left.replaceAll(secret, "…"), text),
      false,
    );
  const { message, stack, source } = failure;
  return {
    message: hide(message),
    place,
    ...(stack !== undefined && { stack: hide(stack) }),
    ...(source !== undefined && { source }),
  };
}
