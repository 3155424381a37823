/**
 * Ties recorded requests to what a client did: a login with its prompts and the provider's calls for it, an order with its
 * notification and queries, a trace that the client names itself.
 */
import type { Exchange } from "../../http/recording/request-recorder.ts";
import { beginningOf, pathOfTarget, valueIn } from "./exchange-parts.ts";

/** Bytes of a body that are searched: what ties it to a flow is at the beginning. */
const searchedBytes = 16_384;
/** Ties of logins that are remembered. */
const mostTies = 5_000;

const orderPath = {
  app: /^\/api\/(?:orders\/\d|orders\/?$|payments\/)/i,
  provider: /^\/(?:pay\/|secapi\/pay\/|v3\/pay\/transactions\/|v3\/refund\/|sim\/orders\/)/i,
};
const bills = /bill/i;
const orderInPath = /^\/(?:sim\/orders|v3\/pay\/transactions\/out-trade-no)\/([\w|*-]{1,64})/i;
/** In JSON, XML or a form. */
const orderInText = /out_trade_no["'=:>\s<![]*(?:CDATA\[)?(?!CDATA\[)([\w|*-]{1,64})/;
const traceParent = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}$/;

function orderOf({ service, method, target, requestBody, responseBody, notes }: Exchange): string | undefined {
  if (notes.order !== undefined) return notes.order;
  if (service === "model") return undefined;
  const path = pathOfTarget(target);
  const isList = method === "GET" && /^\/api\/orders\/?$/i.test(path);
  if (!orderPath[service].test(path) || bills.test(path) || isList) return undefined;
  return (
    orderInPath.exec(path)?.[1] ??
    orderInText.exec(beginningOf(requestBody, searchedBytes))?.[1] ??
    orderInText.exec(beginningOf(responseBody, searchedBytes))?.[1]
  );
}

const person = /^\/sim\/users\/([^/]+)\/(login|user-info|phone-number)\/?$/i;
const loginPath = /^\/api\/(?:sessions|userinfos|phonenumbers)\/?$/i;
const codeInText = /"?\bcode"?\s?[:=]\s?"?([\w~.-]{6,128})/;
const codeInQuery = /(?:^|&)js_code=([^&]+)/;

/** A step of a login. A tie is a code, a session or a simulated person. The first known one decides. */
interface LoginStep {
  readonly ties: readonly string[];
  /** Further ties to the same login, for later steps. */
  readonly newTies?: readonly string[];
  /** Whether it belongs to a login even if none of its ties is known. */
  readonly begins: boolean;
}

const codeIn = (text: string) => codeInText.exec(text)?.[1];
const tie = (kind: string, value: string | undefined) => (value === undefined ? [] : [`${kind}:${value}`]);

function stepAtProvider(exchange: Exchange, path: string): LoginStep | undefined {
  const { target, status, requestBody, responseBody, notes } = exchange;
  const [, name, step] = person.exec(path) ?? [];
  if (name !== undefined) {
    // The code of a refusal is that of an error.
    const code = status === 200 ? tie("code", codeIn(beginningOf(responseBody, searchedBytes))) : [];
    if (step === "login") return { ties: code, newTies: [`person:${name}`], begins: true };
    return { ties: [`person:${name}`], newTies: code, begins: false };
  }
  if (/^\/sns\/jscode2session\/?$/i.test(path))
    return {
      ties: tie("code", codeInQuery.exec(target.slice(path.length + 1))?.[1]),
      newTies: tie("person", notes.person),
      begins: false,
    };
  if (/^\/wxa\/business\/getuserphonenumber\/?$/i.test(path))
    // Where the console's page asked for the code, its issue is not recorded.
    return {
      ties: [...tie("code", codeIn(beginningOf(requestBody, searchedBytes))), ...tie("person", notes.person)],
      begins: false,
    };
  return undefined;
}

function stepAtApp({ status, requestBody, method, notes: { session } }: Exchange, path: string): LoginStep | undefined {
  const isStep = method === "POST" && loginPath.test(path);
  if (!isStep && !(status === 401 && session)) return undefined;
  const code = isStep ? tie("code", codeIn(beginningOf(requestBody, searchedBytes))) : [];
  const ofSession = tie("session", session && String(session.id));
  const isFirst = /sessions/i.test(path);
  return isFirst
    ? { ties: code, newTies: ofSession, begins: true }
    : { ties: ofSession, newTies: code, begins: ofSession.length > 0 };
}

export function createFlows() {
  const known = new Map<string, string>();
  function remember(ties: readonly string[], flow: string): void {
    for (const one of ties) {
      known.delete(one);
      known.set(one, flow);
    }
    for (const oldest of known.keys()) {
      if (known.size <= mostTies) break;
      known.delete(oldest);
    }
  }

  function loginOf(exchange: Exchange, id: number): string | undefined {
    if (exchange.service === "model") return undefined;
    const path = pathOfTarget(exchange.target);
    const step = exchange.service === "app" ? stepAtApp(exchange, path) : stepAtProvider(exchange, path);
    if (!step) return undefined;
    const { ties, newTies = [], begins } = step;
    const flow = ties.map((one) => known.get(one)).find((one) => one !== undefined);
    // A code may be used before the record of its issue comes from the other service.
    const isLogin = flow !== undefined || begins || ties.some((one) => one.startsWith("code:"));
    if (!isLogin) return undefined;
    const found = flow ?? `login:${String(id)}`;
    remember([...ties, ...newTies], found);
    return found;
  }

  return {
    /** The flow of an exchange, such as `login:17` or `order:T1`, if something ties it to one. `id`: that of its record. */
    flowOf(exchange: Exchange, id: number): string | undefined {
      const order = orderOf(exchange);
      if (order !== undefined) return `order:${order}`;
      const login = loginOf(exchange, id);
      if (login !== undefined) return login;
      const trace = traceParent.exec(valueIn(exchange.requestHeaders, "traceparent"))?.[1];
      return trace === undefined ? undefined : `trace:${trace}`;
    },
  };
}
