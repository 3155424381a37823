/** `hearthkit/routes`: what a project's own routes are written with. Hearth runs their file in a process of its own. */

/** A request, as a handler gets it. */
export interface RouteRequest<User = RouteUser | undefined, Body = unknown> {
  /** The parsed JSON, form or XML; an empty object where there is none. */
  readonly body: Body;
  /** The fields of the query; a repeated one is a list. */
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly params: Readonly<Record<string, string>>;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The caller, at a route with `login`. */
  readonly user: User;
  /**
   * Places an order for the caller, as `POST /api/orders` does, at a route with `login`. The result has the parameters `pay`
   * for the client's payment.
   * @param order `amount` in fen, `description` and the other members of that operation
   */
  readonly pay: (order: Readonly<Record<string, unknown>>) => Promise<Readonly<Record<string, unknown>>>;
  /** The caller's phone number, at a route with `login`, once it is known. */
  readonly phone: string | undefined;
}

export interface RouteUser {
  readonly id: number;
  /** The public id, as in the status package. */
  readonly uid: string;
  readonly nickName?: string;
  readonly avatarUrl?: string;
}

/** A schema of zod, or of another library with this interface of Standard Schema. */
export interface BodySchema<Body> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => unknown;
    readonly types?: { readonly input: unknown; readonly output: Body } | undefined;
  };
}

export interface RouteOptions<Body = unknown> {
  /** Checks the body: another one is 400 with the fields at fault, and the handler does not run. */
  readonly body?: BodySchema<Body>;
  /** Requires a complete login: without one, the answer is 401 with the next step. The result has the status package. */
  readonly login?: boolean;
  /** How long the handler may take, in ms. Default: 2,000. A handler that takes longer is ended. */
  readonly deadlineMs?: number;
  /** A text of the API description. */
  readonly description?: string;
}

/** Returns the answer: a value, which is sent as JSON or XML with status 200, or `reply(…)`. Nothing is 204. */
export type RouteHandler<User = undefined, Body = unknown> = (request: RouteRequest<User, Body>) => unknown;

export interface AddRoute {
  /** @param path with parameters in braces: `/shops/{id}` */
  (path: string, handler: RouteHandler): void;
  <Body>(
    path: string,
    options: RouteOptions<Body> & { readonly login: true },
    handler: RouteHandler<RouteUser, Body>,
  ): void;
  <Body>(path: string, options: RouteOptions<Body>, handler: RouteHandler<RouteUser | undefined, Body>): void;
}

/** A server-sent event. Data that is no text is sent as JSON. */
export interface RouteEvent {
  readonly event?: string;
  readonly id?: string | number;
  readonly data: unknown;
}

export interface AddStream {
  /** @param handler ends when its reader leaves: then `yield` does not return */
  (path: string, handler: (request: RouteRequest<undefined>) => AsyncIterable<RouteEvent>): void;
  (
    path: string,
    options: RouteOptions & { readonly login: true },
    handler: (request: RouteRequest<RouteUser>) => AsyncIterable<RouteEvent>,
  ): void;
}

/** An item with `id`, `owner_uid`, `created_at` and `updated_at`. */
export type RouteItem = Readonly<Record<string, unknown>>;

/**
 * The items of a collection, of all owners. Each refusal of the server is thrown, and is the route's answer unless the code
 * catches it.
 */
export interface RouteCollection {
  /** A page. @param query `page`, `page_size`, `q`, `sort` and filters such as `{ "price[gte]": 10 }` */
  list(query?: Readonly<Record<string, unknown>>): Promise<RouteItem[]>;
  /** Undefined when there is no such item. */
  get(id: number | string): Promise<RouteItem | undefined>;
  /** @param options `owner`: the id of the user to whom it belongs; by default nobody */
  create(data: object, options?: { readonly owner?: number }): Promise<RouteItem>;
  /** Changes some members; null removes one. Undefined when there is no such item. */
  update(id: number | string, patch: object): Promise<RouteItem | undefined>;
  /** False when there is no such item. */
  remove(id: number | string): Promise<boolean>;
}

export interface Routes<State extends object> {
  readonly get: AddRoute;
  readonly post: AddRoute;
  readonly put: AddRoute;
  readonly patch: AddRoute;
  readonly del: AddRoute;
  /** Answers GET with the events that an `async function*` yields. */
  readonly sse: AddStream;
  /** One object of JSON values, stored after each handler. Resets empty it, snapshots hold it. */
  readonly state: State;
  /** Collections by their names: `db.articles`. */
  readonly db: Readonly<Record<string, RouteCollection>>;
}

/** A function that adds routes. It runs at each load, before the first request. */
export type DefineRoutes<State extends object> = (routes: Routes<State>) => void;

const marked = {
  definition: Symbol.for("hearthkit.routes"),
  reply: Symbol.for("hearthkit.reply"),
  refusal: Symbol.for("hearthkit.refusal"),
} as const;

export interface DefinedRoutes {
  readonly define: DefineRoutes<never>;
}

/** The default export of a file of routes. */
export const defineRoutes = <State extends object = Record<string, unknown>>(
  define: DefineRoutes<State>,
): DefinedRoutes => Object.freeze({ define, [marked.definition]: true });

/** An answer with a status and headers. */
export interface RouteReply {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Answers with a status and headers. A text or bytes with a Content-Type are sent as they are, other bodies as JSON or
 * XML.
 */
export const reply = (status: number, body?: unknown, headers: Readonly<Record<string, string>> = {}): RouteReply =>
  Object.freeze({ status, body, headers, [marked.reply]: true });

/** Ends the handler with an error in Hearth's usual form. @param code for programs: lower case with underscores */
export function fail(status: number, code: string, message: string): never {
  throw Object.assign(new Error(message), { status, code, [marked.refusal]: true });
}
