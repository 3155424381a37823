import type { Operation } from "./api-description.ts";
import type { TestApp } from "./test-app.ts";

/** A call that can be changed before it is sent. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Sent instead of `body`, which is JSON or a form by the content type. */
  readonly raw?: RequestInit["body"];
}

export interface DescribedServer {
  readonly app: TestApp;
  readonly operations: readonly Operation[];
  /** Headers of one session that has passed every step: the provider limits how often a user may log in. */
  readonly session: Readonly<Record<string, string>>;
  /** A folder beside the server's own. */
  readonly scratch: string;
}
