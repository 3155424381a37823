/** `wx`, as `createWx` makes it. */
import type { AccountCalls } from "./api/account.ts";
import type { FileCalls, StorageCalls, SurfaceCalls } from "./api/device.ts";
import type { NetworkCalls } from "./api/network.ts";
import type { ProgramFrame } from "./api/program.ts";
import type { PromisedCalls } from "./api/promised.ts";
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

type DeviceCalls = AccountCalls & StorageCalls & FileCalls & SurfaceCalls & SystemCalls;

export interface Wx extends DeviceCalls, NetworkCalls {
  /** For the global scope of the program. */
  readonly globals: WxGlobals;
}

/** `uni` and `Taro` are `wx`, except that their requests, uploads and downloads also are promises. */
export interface WxGlobals extends ProgramFrame {
  readonly wx: Wx;
  readonly uni: DeviceCalls & PromisedCalls;
  readonly Taro: DeviceCalls & PromisedCalls;
}
