/** The door before a service, for devices of the local network. It judges who calls, and refuses control routes. */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { posix } from "node:path";
import Negotiator from "negotiator";
import type { Logger } from "pino";
import type { LanService } from "../../contract/console/machine/lan-access-endpoints.ts";
import { ownAddressOnly } from "../../http/conventions/allowed-hosts.ts";
import { refuseBy, toHttpError } from "../../http/conventions/error-handler.ts";
import { sendJson, sendText } from "../../http/conventions/send-json.ts";
import { showInert } from "../../http/conventions/show-inert.ts";
import { message } from "../../contract/messages/message.ts";
import { HttpError, refuse } from "../../http/http-error.ts";
import { acceptedLanguage, inLanguageOf } from "../../http/messages/in-language.ts";
import { pathOf, type Middleware, type Refuse } from "../../http/middleware.ts";
import { isBelow, pipeline } from "../../http/pipeline.ts";
import type { Device } from "./device-book.ts";
import { lanPage, pagePolicy, type PageContent } from "./lan-page.ts";

/** Finds the device that calls; `cookie`: one for it to keep. Undefined when its connection has ended. */
export type Judge = (
  req: IncomingMessage,
) => { readonly device: Device; readonly isAdmitted: boolean; readonly cookie: string | undefined } | undefined;

interface Options {
  readonly service: LanService;
  readonly judge: Judge;
  /** The addresses of the services for devices. */
  readonly urls: () => readonly string[];
  /** The certificate of the authority behind HTTPS, PEM; undefined for HTTP. */
  readonly certificate: string | undefined;
  /** Runs before the device is judged. */
  readonly before?: Middleware | undefined;
  /** Answers admitted devices. */
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

/** Whether a path, however it is written, leads to routes that are for this machine only. */
export function isControlPath(path: string): boolean {
  const plain = posix.normalize(`/${decoded(decoded(path)).replaceAll("\\", "/")}`);
  return ["/console", "/sim"].some((root) => isBelow(root, plain));
}

/** The refusal of a device that waits. Its page shows the device. */
class WaitError extends HttpError {
  readonly device: Device;
  constructor(device: Device, headers: Record<string, string>) {
    const { address, id } = device;
    super(403, "device_waiting", message("device.waiting", { address, id }), { headers });
    this.device = device;
  }
}

const isRead = ({ method }: IncomingMessage) => method === "GET" || method === "HEAD";
const wantsPage = (req: IncomingMessage) =>
  isRead(req) && new Negotiator(req).mediaType(["application/json", "text/html"]) === "text/html";

function sendPage(req: IncomingMessage, res: ServerResponse, status: number, content: PageContent): void {
  const lang = acceptedLanguage(req) === "zh" ? "zh-CN" : "en";
  showInert(res);
  res.setHeader("Content-Security-Policy", pagePolicy);
  res.setHeader("Cache-Control", "no-store");
  sendText(res, status, "text/html; charset=utf-8", lanPage(lang, inLanguageOf(req, res), content));
}

/** Refuses as the service behind the door does. A browser gets a page. */
function refuseAs(service: LanService, log: Logger): Refuse {
  const refuseInJson = refuseBy(log, { indent: 0, relaxed: true }, { languageOf: inLanguageOf });
  return (error, req, res) => {
    const isForm = /^multipart\/form-data/i.test(req.headers["content-type"] ?? "");
    if (res.headersSent || !(wantsPage(req) || isForm || service === "model")) {
      refuseInJson(error, req, res);
      return;
    }
    const refusal = toHttpError(error);
    const { status, message: text } = refusal;
    if (status >= 500) log.error({ err: refusal.cause ?? error, path: pathOf(req) }, text);
    for (const [name, value] of Object.entries(refusal.headers)) res.setHeader(name, value);
    if (wantsPage(req))
      sendPage(req, res, status, error instanceof WaitError ? { device: error.device } : { refusal: refusal.text });
    else sendJson(res, status, isForm ? { success: false, err_msg: text } : { error: text });
  };
}

const refuseControl: Middleware = (req, _res, next) => {
  if (isControlPath(pathOf(req))) throw refuse("device.refused");
  next();
};

/** Systems offer to install files with this extension. */
export const certificatePath = "/hearth-authority.crt";

export function lanHandler({ service, judge, urls, certificate, before, pass, log }: Options): RequestListener {
  /** The certificate is no secret: a device needs it before it can call by HTTPS. */
  const sendCertificate: Middleware = (req, res, next) => {
    if (certificate !== undefined && service === "app" && pathOf(req) === certificatePath && isRead(req))
      sendText(res, 200, "application/x-x509-ca-cert", certificate);
    else next();
  };
  const judgeCaller: Middleware = (req, _res, next) => {
    const caller = judge(req);
    if (caller === undefined) return void req.socket.destroy();
    const { device, isAdmitted, cookie } = caller;
    if (isAdmitted) return next();
    const headers = { Connection: "close" };
    if (cookie === undefined) throw new WaitError(device, headers);
    const attributes = `Path=/; Max-Age=${String(cookieSeconds)}; HttpOnly; SameSite=Lax`;
    throw new WaitError(device, { ...headers, "Set-Cookie": `${cookieName}=${cookie}; ${attributes}` });
  };
  const link = certificate === undefined ? undefined : certificatePath;
  const welcome: Middleware = (req, res, next) => {
    if (service !== "app" || pathOf(req) !== "/" || !isRead(req)) return next();
    sendPage(req, res, 200, { urls: urls(), certificatePath: link });
  };
  return pipeline(
    [
      ownAddressOnly,
      refuseControl,
      ...(before ? [before] : []),
      sendCertificate,
      judgeCaller,
      welcome,
      (req, res) => pass(req, res),
    ],
    refuseAs(service, log),
  );
}
