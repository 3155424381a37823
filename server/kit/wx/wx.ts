/** `wx`, as `createWx` makes it. */
import type { AccountCalls } from "./api/account.ts";
import type { FileCalls, StorageCalls, SurfaceCalls } from "./api/device.ts";
import type { NetworkCalls } from "./api/network.ts";
import type { ProgramFrame } from "./api/program.ts";
import type { LaunchOptions, SystemCalls, SystemInfo } from "./api/system.ts";

/** The servers that the program may call, as they are configured at the platform: `https://shop.example`. */
export interface ServerDomains {
  readonly request?: readonly string[];
  readonly uploadFile?: readonly string[];
  readonly downloadFile?: readonly string[];
  /** `wss://shop.example`, with any port. */
  readonly connectSocket?: readonly string[];
}

/** How a client spells the names of headers that it received. */
export type HeaderNames = "as-sent" | "Www-Authenticate" | "WWW-Authenticate" | "www-authenticate" | "WWW-AUTHENTICATE";

export interface WxOptions {
  /** Default: the app of the simulated platform. */
  readonly app_id?: string;
  /** The program's version, in the header Referer. Default: 0, a version in development. */
  readonly version?: string;
  /** Switches the rule on: only these servers, and only over HTTPS and WSS. Off unless given. */
  readonly domains?: ServerDomains;
  /** Default: `as-sent`. */
  readonly header_names?: HeaderNames;
  /** Changes of the described device. */
  readonly system_info?: Partial<SystemInfo>;
  /** How the program was opened. */
  readonly launch?: Partial<LaunchOptions>;
}

export interface Wx
  extends AccountCalls, NetworkCalls, StorageCalls, FileCalls, SurfaceCalls, SystemCalls, ProgramFrame {
  /** `wx`, `App`, `Page`, `getApp` and `getCurrentPages`, for the global scope of the program. */
  readonly globals: ProgramFrame & { readonly wx: Wx };
}
