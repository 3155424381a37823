/**
 * Reference client of the login-state protocol: one file without dependencies, for mini-programs and browsers alike. Copy
 * it into a client, or load it from a running Hearth: GET /console/client.js, its source GET /console/client.ts.
 *
 * It sends the session token with every request, reads the next step out of a 401, carries it out, and repeats the request.
 */

export interface HttpRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  /** A JSON value, or FormData where the platform has it. */
  body?: unknown;
}
export interface HttpResponse {
  status: number;
  /** As the platform spells the names. */
  headers: Record<string, string>;
  /** The parsed JSON, other text, the bytes of anything else, or undefined when there is none. */
  body: unknown;
}

/** The argument of a button's callback. `errMsg` must be the call's name and ":ok". */
export interface Detail {
  errMsg: string;
  [field: string]: unknown;
}

/** The platform's side: how it logs in, asks the user, sends requests and keeps things. */
export interface Platform {
  /** The code of a fresh login; never prompts. */
  login(): Promise<string>;
  getUserInfo(): Promise<Detail>;
  getPhoneNumber(): Promise<Detail>;
  send(request: HttpRequest): Promise<HttpResponse>;
  storage: { get(key: string): string | null | undefined; set(key: string, value: string): void };
}

/** The status package; only the names that the protocol fixes. */
export interface StatusPackage {
  access_token: string;
  uid: string;
  [field: string]: unknown;
}

/** The user has refused what the server asks for. */
export class StepRefused extends Error {
  step: Authorization;
  constructor(step: Authorization, message: string) {
    super(message);
    this.name = "StepRefused";
    this.step = step;
  }
}

/** The data that a user is asked to share. */
export type Authorization = "getUserInfo" | "getPhoneNumber";
export type Step = "login" | Authorization;

const storageKey = "hearth.status";
/** Platforms change the letter-case of header names; a client reads them in this order. */
const headerSpellings = ["Www-Authenticate", "WWW-Authenticate", "www-authenticate", "WWW-AUTHENTICATE"];
/** How platforms word a user's refusal: "fail user deny", "fail auth denied", "fail:cancel". Their own failures read otherwise. */
const refusal = /\b(?:deny|denied|cancel)/i;
const maxRounds = 2;

export function createHearthClient(baseUrl: string, platform: Platform) {
  let running: Promise<HttpResponse | undefined> | undefined;
  let stepsDone = 0;

  /** The package that the server sent last; undefined before the first login. */
  function status(): StatusPackage | undefined {
    const text = platform.storage.get(storageKey);
    return text ? (JSON.parse(text) as StatusPackage) : undefined;
  }

  async function send(method: string, path: string, body?: unknown): Promise<HttpResponse> {
    const token = status()?.access_token;
    const response = await platform.send({
      method,
      url: baseUrl + path,
      headers: {
        Accept: "application/json",
        "Content-Type": "application/json",
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
      },
      ...(body === undefined ? {} : { body }),
    });
    const carried = packageOf(response);
    // A slow answer may come after another login, or after the logout.
    if (carried && status()?.access_token === token) platform.storage.set(storageKey, JSON.stringify(carried));
    return response;
  }

  /** Sends the result of a step. Resolves to the server's answer if that is a refusal. */
  async function post(path: string, body: unknown): Promise<HttpResponse | undefined> {
    const response = await send("POST", path, body);
    // The token may still be good for all else: without it, the server asks for the login.
    if (response.status === 401 && stepOf(response) === "login") platform.storage.set(storageKey, "");
    return response.status < 400 ? undefined : response;
  }

  async function perform(step: Step): Promise<HttpResponse | undefined> {
    if (step === "login") {
      platform.storage.set(storageKey, "");
      return post("/api/sessions", { code: await platform.login() });
    }
    const detail = await platform[step]();
    if (refusal.test(detail.errMsg)) throw new StepRefused(step, detail.errMsg);
    if (detail.errMsg !== `${step}:ok`) throw new Error(detail.errMsg);
    return post(step === "getUserInfo" ? "/api/userinfos" : "/api/phonenumbers", detail);
  }

  /** One step at a time, for all requests: the user is asked once. */
  async function performAlone(step: Step): Promise<HttpResponse | undefined> {
    const done = perform(step);
    running = done;
    try {
      const failed = await done;
      stepsDone++;
      return failed;
    } finally {
      running = undefined;
    }
  }

  /**
   * Sends a request; a 401 is answered by the step that it names, and the request repeated.
   * @returns the answer to the request; where the server cannot carry a step out, or still asks for it after two tries,
   *   its answer to that step, which says why: 503 and later again, 403, 500, 401
   * @throws StepRefused when the user refuses; the platform's own error when it fails, or when no answer comes
   */
  async function request(method: string, path: string, body?: unknown): Promise<HttpResponse> {
    const rounds: Record<Step, number> = { login: 0, getUserInfo: 0, getPhoneNumber: 0 };
    let failed: HttpResponse | undefined;
    for (;;) {
      const before = stepsDone;
      const response = await send(method, path, body);
      const step = response.status === 401 ? stepOf(response) : undefined;
      if (!step) return response;
      // Another request has taken a step since, or is at it: this answer may be out of date.
      if (running) failed = await running;
      else if (stepsDone === before) {
        if (++rounds[step] > maxRounds) return failed ?? response;
        failed = await performAlone(step);
      }
      // A 401 asks for a step again, with a code of its own.
      if (failed && failed.status !== 401) return failed;
    }
  }

  return { request, status };
}

/** The status package of an answer: in its body, or in a header where there is none, as after a logout. */
function packageOf({ headers, body }: HttpResponse): StatusPackage | undefined {
  const name = Object.keys(headers).find((spelling) => spelling.toLowerCase() === "status-package");
  const header = name === undefined ? undefined : headers[name];
  const carried = header
    ? (JSON.parse(decodeBase64Url(header)) as unknown)
    : (body as { status?: unknown } | undefined)?.status;
  const found = carried as StatusPackage | undefined;
  return typeof found?.access_token === "string" ? found : undefined;
}

const base64Url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The text behind base64url; mini-programs have no function for it. */
function decodeBase64Url(encoded: string): string {
  let [escaped, bits, count] = ["", 0, 0];
  for (const digit of encoded) {
    bits = ((bits << 6) | base64Url.indexOf(digit)) & 0xfff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    escaped += `%${(256 + ((bits >> count) & 255)).toString(16).slice(1)}`;
  }
  return decodeURIComponent(escaped);
}

/** The step that a 401 names. No step of ours means: log in. */
export function stepOf(response: Pick<HttpResponse, "headers">): Step {
  const name = headerSpellings.find((spelling) => response.headers[spelling] !== undefined);
  const value = name === undefined ? "" : response.headers[name];
  return value === "getUserInfo" || value === "getPhoneNumber" ? value : "login";
}

/** JSON is parsed, other text stays text, and anything else is bytes. */
async function bodyOf(response: Response): Promise<unknown> {
  const [type = ""] = (response.headers.get("Content-Type") ?? "").split(";");
  if (!/^text\/|^application\/(?:[\w.-]+\+)?(?:json|xml)$/i.test(type.trim())) {
    const bytes = new Uint8Array(await response.arrayBuffer());
    return bytes.length === 0 ? undefined : bytes;
  }
  const text = await response.text();
  if (text === "") return undefined;
  return /json$/i.test(type.trim()) ? (JSON.parse(text) as unknown) : text;
}

/** `send` of a browser or of Node. */
export async function sendByFetch({ method, url, headers, body }: HttpRequest): Promise<HttpResponse> {
  const sent = new Headers(headers);
  const isForm = body instanceof FormData;
  // Only fetch knows the boundary between the parts.
  if (isForm) sent.delete("Content-Type");
  const content = body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) };
  const response = await fetch(url, { method, headers: sent, ...content });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await bodyOf(response),
  };
}

interface MiniProgram {
  request(options: {
    url: string;
    method: string;
    header: Record<string, string>;
    data?: unknown;
    success: (result: { statusCode: number; header: Record<string, string>; data: unknown }) => void;
    fail: (error: { errMsg: string }) => void;
  }): void;
}

/** `send` of a mini-program: `sendByWx(wx)`. */
export const sendByWx =
  (wx: MiniProgram) =>
  ({ method, url, headers, body }: HttpRequest): Promise<HttpResponse> =>
    new Promise((resolve, reject) => {
      wx.request({
        url,
        method,
        header: headers,
        ...(body === undefined ? {} : { data: body }),
        success: ({ statusCode, header, data }) =>
          resolve({ status: statusCode, headers: header, body: data === "" ? undefined : data }),
        fail: ({ errMsg }) => reject(new Error(errMsg)),
      });
    });
