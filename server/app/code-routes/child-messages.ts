/** Messages between the application server and the process that runs the code of routes. */
import type { Method } from "../../contract/endpoint.ts";

/** The first message to the process. */
export interface ChildStart {
  /** The files with routes, absolute. */
  readonly files: readonly string[];
  /** The module that `hearthkit/routes` stands for: a URL. */
  readonly kit: string;
}

/** Files of the code by their paths, apart from packages, each with its signature when it was loaded. */
export type LoadedFiles = Readonly<Record<string, string>>;

/** A line of the code; numbers from 1. */
export interface CodePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** An exception of the code. */
export interface CodeFailure {
  /** With the error's name. */
  readonly message: string;
  /** Lines of the code only. */
  readonly stack?: string;
  readonly place?: CodePlace | undefined;
  /** The text of that line. */
  readonly source?: string | undefined;
}

export interface CodeRoute {
  /** Answers with server-sent events. */
  readonly isStream: boolean;
  readonly method: Method;
  readonly path: string;
  readonly login: boolean;
  readonly deadlineMs: number;
  readonly description?: string;
  /** The line of the code that adds it. */
  readonly place?: CodePlace | undefined;
}

export interface CodeRequest {
  readonly body: unknown;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly user?: {
    readonly id: number;
    readonly uid: string;
    readonly nickName?: string;
    readonly avatarUrl?: string;
  };
  readonly phone?: string;
}

export interface CodeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; absent for no body. */
  readonly json?: string;
  /** A body that is sent as it is. */
  readonly content?: string | Uint8Array;
}

export interface CodeRefusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details?: readonly FieldText[];
}

interface FieldText {
  readonly field: string;
  readonly problem: string;
}

/** A question of the code: an operation on the items of a collection. */
export interface CodeAsk {
  readonly collection: string;
  readonly action: "list" | "get" | "create" | "update" | "remove";
  readonly args: readonly unknown[];
}

export type ToChild =
  /** Loads the files. */
  | ({ readonly type: "load" } & ChildStart)
  /** Adds the routes, with the stored state as JSON. */
  | { readonly type: "define"; readonly state: string }
  | { readonly type: "call"; readonly id: number; readonly route: string; readonly request: CodeRequest }
  /** The reader of this stream is gone. */
  | { readonly type: "left"; readonly id: number }
  | { readonly type: "told"; readonly id: number; readonly value?: unknown; readonly refusal?: CodeRefusal };

/** `state`: the state as JSON, if it has changed. */
export type FromChild =
  /** The files are loaded. `files`: these and what they import. */
  | { readonly type: "imported"; readonly files: LoadedFiles }
  | { readonly type: "defined"; readonly routes: readonly CodeRoute[]; readonly state?: string }
  | { readonly type: "unusable"; readonly failure: CodeFailure; readonly files: LoadedFiles }
  /** The handler of this call runs now. */
  | { readonly type: "began"; readonly id: number }
  | { readonly type: "answered"; readonly id: number; readonly answer: CodeAnswer; readonly state?: string }
  | { readonly type: "refused"; readonly id: number; readonly refusal: CodeRefusal; readonly state?: string }
  | { readonly type: "failed"; readonly id: number; readonly failure: CodeFailure; readonly state?: string }
  /** The body does not match the schema of the route. */
  | { readonly type: "invalid"; readonly id: number; readonly problems: readonly FieldText[] }
  | { readonly type: "ask"; readonly id: number; readonly ask: CodeAsk }
  /** The events of this call begin. */
  | { readonly type: "opened"; readonly id: number }
  /** An event of a call, as text. The answer is whether its reader is still there, and comes when that can take more. */
  | {
      readonly type: "event";
      readonly id: number;
      readonly call: number;
      readonly frame: string;
      readonly state?: string;
    }
  /** Places an order for the caller of this call. */
  | { readonly type: "pay"; readonly id: number; readonly call: number; readonly order: unknown }
  /** An exception outside of handlers. */
  | { readonly type: "stray"; readonly failure: CodeFailure }
  | { readonly type: "printed"; readonly isError: boolean; readonly line: string };

/** A route's name in messages. */
export const nameOfRoute = ({ method, path }: Pick<CodeRoute, "method" | "path">) => `${method} ${path}`;
