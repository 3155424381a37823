/** What answers the devices of the local network: the door before a service. It asks who calls, and offers no control route. */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { posix } from "node:path";
import Negotiator from "negotiator";
import type { Logger } from "pino";
import type { LanService } from "../../contract/console/machine/lan-access-endpoints.ts";
import { ownAddressOnly } from "../../http/conventions/allowed-hosts.ts";
import { refuseBy, toHttpError } from "../../http/conventions/error-handler.ts";
import { sendJson, sendText } from "../../http/conventions/send-json.ts";
import { showInert } from "../../http/conventions/show-inert.ts";
import { HttpError, refuse } from "../../http/http-error.ts";
import { acceptedLanguage, inLanguageOf } from "../../http/messages/in-language.ts";
import { pathOf, type Middleware, type Refuse } from "../../http/middleware.ts";
import { isBelow, pipeline } from "../../http/pipeline.ts";
import type { Device } from "./device-book.ts";
import { lanPage, pagePolicy, type PageContent } from "./lan-page.ts";

/** Says who calls; `cookie` is what the device is to keep. Undefined: its connection has ended, so nobody knows. */
export type Judge = (req: IncomingMessage) =>
  | {
      readonly device: Device;
      readonly isLetIn: boolean;
      readonly cookie: string | undefined;
    }
  | undefined;

interface Options {
  readonly service: LanService;
  readonly judge: Judge;
  /** The addresses that are offered. */
  readonly urls: () => readonly string[];
  /** That of the authority which vouches for them, PEM; undefined where they are HTTP's. */
  readonly certificate: string | undefined;
  /** Comes before it is known who calls. */
  readonly before?: Middleware | undefined;
  /** Answers the devices that are let in. */
  readonly pass: (req: IncomingMessage, res: ServerResponse) => Promise<void> | void;
  readonly log: Logger;
}

/** The name of our cookie: one for all services, since cookies do not tell ports apart. */
const cookieName = "hearth_device";
const cookieSeconds = 365 * 24 * 60 * 60;

export function cookieOf({ headers }: IncomingMessage): string | undefined {
  for (const one of (headers.cookie ?? "").split(";")) {
    const [name, value = ""] = one.trim().split("=", 2);
    if (name === cookieName && /^[\w-]{32}$/.test(value)) return value;
  }
  return undefined;
}

const decoded = (path: string) =>
  path.replace(/%([\da-f]{2})/gi, (_whole, code: string) => String.fromCharCode(parseInt(code, 16)));

/** Whether a path leads to what is for this machine alone, however it is written. */
export function isControlPath(path: string): boolean {
  const plain = posix.normalize(`/${decoded(decoded(path)).replaceAll("\\", "/")}`);
  return ["/console", "/sim"].some((root) => isBelow(root, plain));
}

/** A refusal that the device's person reads, with who is meant by it. */
class WaitError extends HttpError {
  readonly device: Device;
  constructor(device: Device, headers: Record<string, string>) {
    super(
      403,
      "device_waiting",
      `This device (${device.address}, ${device.id}) has not been let in: let it in on the page Devices of Hearth's console.`,
      { headers },
    );
    this.device = device;
  }
}

const isRead = ({ method }: IncomingMessage) => method === "GET" || method === "HEAD";
const wantsPage = (req: IncomingMessage) =>
  isRead(req) && new Negotiator(req).mediaType(["application/json", "text/html"]) === "text/html";

function sendPage(req: IncomingMessage, res: ServerResponse, status: number, content: PageContent): void {
  const language = acceptedLanguage(req);
  showInert(res);
  res.setHeader("Content-Security-Policy", pagePolicy);
  res.setHeader("Cache-Control", "no-store");
  sendText(res, status, "text/html; charset=utf-8", lanPage(language, content));
}

/** Refuses as the service behind the door does: a browser reads a page. */
function refuseAs(service: LanService, log: Logger): Refuse {
  const refuseInJson = refuseBy(log, { indent: 0, relaxed: true }, { languageOf: inLanguageOf });
  return (error, req, res) => {
    const isForm = /^multipart\/form-data/i.test(req.headers["content-type"] ?? "");
    if (res.headersSent || !(wantsPage(req) || isForm || service === "model")) {
      refuseInJson(error, req, res);
      return;
    }
    const { status, message, headers, cause } = toHttpError(error);
    if (status >= 500) log.error({ err: cause ?? error, path: pathOf(req) }, message);
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
    if (wantsPage(req))
      sendPage(req, res, status, error instanceof WaitError ? { device: error.device } : { refusal: message });
    else if (isForm) sendJson(res, status, { success: false, err_msg: message });
    else sendJson(res, status, { error: message });
  };
}

const offersNoControl: Middleware = (req, _res, next) => {
  if (isControlPath(pathOf(req))) throw refuse("device.refused");
  next();
};

/** Systems offer to install what they get by this extension. */
export const certificatePath = "/hearth-authority.crt";

export function lanHandler({ service, judge, urls, certificate, before, pass, log }: Options): RequestListener {
  /** No secret: a device needs it before it can call by HTTPS at all. */
  const handOut: Middleware = (req, res, next) => {
    if (certificate !== undefined && service === "app" && pathOf(req) === certificatePath && isRead(req))
      sendText(res, 200, "application/x-x509-ca-cert", certificate);
    else next();
  };
  const letIn: Middleware = (req, _res, next) => {
    const caller = judge(req);
    if (caller === undefined) return void req.socket.destroy();
    const { device, isLetIn, cookie } = caller;
    const setCookie =
      cookie === undefined
        ? {}
        : {
            "Set-Cookie": `${cookieName}=${cookie}; Path=/; Max-Age=${String(cookieSeconds)}; HttpOnly; SameSite=Lax`,
          };
    if (!isLetIn) throw new WaitError(device, { ...setCookie, Connection: "close" });
    next();
  };
  const link = certificate === undefined ? {} : { certificatePath };
  const welcome: Middleware = (req, res, next) => {
    if (service === "app" && pathOf(req) === "/" && isRead(req)) sendPage(req, res, 200, { urls: urls(), ...link });
    else next();
  };
  return pipeline(
    [
      ownAddressOnly,
      offersNoControl,
      ...(before ? [before] : []),
      handOut,
      letIn,
      welcome,
      (req, res) => pass(req, res),
    ],
    refuseAs(service, log),
  );
}
