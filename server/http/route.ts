/** A route: an endpoint of the contract and its handler. serve-routes.ts serves them. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { z } from "zod";
import type { EndpointSpec } from "../contract/endpoint.ts";
import type { Session } from "./login.ts";
import type { Format } from "./conventions/negotiate.ts";
import type { FormFields } from "./formats/parse-form.ts";
import { pathOf, type RefusalForm } from "./middleware.ts";

/** A body that is not written by Hearth. */
export interface WrittenBody {
  /** Its media type; JSON of the data unless given. */
  readonly type?: string;
  readonly content: string | Uint8Array;
}

/** The reply of a handler, which may be nothing where it has no data. Default of `status`: that of the endpoint. */
export interface Reply<Data = unknown> {
  readonly status?: number;
  /** For a 304: the data of the full answer, whose length decides about the ETag. */
  readonly data?: Data;
  readonly headers?: Readonly<Record<string, string>>;
  /** The caller's session after the call, if that created, changed or ended it. */
  readonly session?: Session;
  /** The body as it is sent, instead of `data`. */
  readonly written?: WrittenBody;
  /** The handler wrote the reply itself (an endpoint with `produces`). */
  readonly sent?: true;
}

export interface CallContext {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** Present when the endpoint's access requires a token. */
  readonly session: Session | undefined;
  /** The format of the answer. */
  readonly format?: Format;
  /** The fields of the query that filter a list. */
  readonly filters?: FormFields;
  /** Looks for unknown names in a body that the handler has read itself. @throws HttpError 400 for one, if they are refused */
  readonly checkNames?: (body: unknown) => void;
}

export interface Route {
  readonly spec: EndpointSpec;
  readonly handle: (input: RouteInput, context: CallContext) => Promise<Reply | void> | Reply | void;
  /** The form of all refusals of a call, before it reaches the route and within. */
  readonly refusalForm?: RefusalForm | undefined;
}
interface RouteInput {
  params: never;
  query: never;
  body: never;
}

type Out<T> = T extends z.ZodType ? z.output<T> : undefined;
type Replied<D extends z.ZodType> = Reply<z.input<D>>;

/** Binds a handler to an endpoint. Its input is validated by the endpoint's schemas. */
export function route<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, D extends z.ZodType>(
  spec: EndpointSpec<P, Q, B, D>,
  handle: (
    input: { params: Out<P>; query: Out<Q>; body: Out<B> },
    context: CallContext,
  ) => Promise<Replied<D> | void> | Replied<D> | void,
  refusalForm?: RefusalForm,
): Route {
  return { spec, handle, refusalForm };
}

/** The data of a reply by the endpoint's schema, which drops unknown members. */
export const dataOf = ({ data }: EndpointSpec, reply: Reply): unknown =>
  reply.data === undefined ? undefined : data?.parse(reply.data);

/** The session that the endpoint's access guarantees. */
export function sessionOf(context: CallContext): Session {
  if (!context.session)
    throw new Error(
      `${String(context.req.method)} ${pathOf(context.req)} uses a session that its access does not ask for`,
    );
  return context.session;
}
