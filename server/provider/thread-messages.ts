/** The messages between the provider simulator's thread and its process. */
import type { FaultMark } from "../contract/fault-mark.ts";
import type { BusMessage } from "../contract/console/traffic/events.ts";
import type { Span } from "../trace/span.ts";
import type { Exchange } from "../http/recording/request-recorder.ts";
import type { MerchantCredentials, OpenProvider } from "./open-provider.ts";
import type { ProviderOptions } from "./running-provider.ts";

/** The data that the thread starts with. */
export interface ThreadStart extends Pick<ProviderOptions, "settings" | "consoleToken" | "apiDocs"> {
  /** How far the clock is ahead, in ms. */
  readonly offsetMs: number;
}

export type ToThread =
  | { readonly type: "clock"; readonly offsetMs: number }
  | { readonly type: "ping" }
  /** Where devices of the local network reach it; undefined: nowhere. */
  | { readonly type: "buyers"; readonly url: string | undefined }
  /** It will be stopped soon, and is not ready from now on. */
  | { readonly type: "drain" }
  /** `graceMs`: how long open requests may go on. */
  | { readonly type: "stop"; readonly graceMs: number | undefined };

/** The facts about an open simulator that need no request to it. */
export type Introduction = Pick<OpenProvider, "url" | "credentials"> & {
  readonly payments: Omit<OpenProvider["payments"], "keysV3" | "keysAlipay">;
};

export type FromThread =
  | { readonly type: "ready"; readonly introduction: Introduction }
  /** The built-in merchant was changed. */
  | { readonly type: "credentials"; readonly credentials: MerchantCredentials }
  | { readonly type: "event"; readonly event: BusMessage; readonly span: Span | undefined }
  | { readonly type: "fault"; readonly mark: FaultMark; readonly span: Span }
  | { readonly type: "port in use"; readonly port: number }
  /** `code` is the system's or the database's, if any: an error loses it in the transfer. */
  | { readonly type: "failed"; readonly error: Error; readonly code?: string | undefined }
  | { readonly type: "call"; readonly exchange: Exchange }
  /** Answers a ping. `problem`: what is wrong, if anything. */
  | { readonly type: "pong"; readonly problem: string | undefined };
