import type { Exchange } from "../../http/recording/request-recorder.ts";
import { NewestMap } from "../../process/newest-map.ts";

/** Names that are remembered, the newest. */
const mostNames = 20_000;

const loginSteps: readonly (string | undefined)[] = ["/api/sessions", "/api/userinfos", "/api/phonenumbers"];
const simLogin = /^\/sim\/users\/[^/]+\/login$/;
const codeExchange = /^\/sns\/jscode2session$/;

/** Rows to be tied to a flow. */
export interface Tie {
  readonly flow: string;
  /** All rows of this trace that have no flow yet. */
  readonly trace?: string;
  /** All rows of this flow. */
  readonly other?: string;
}

/** The part of an exchange in a login. */
interface Step {
  /** The session or the simulated person. */
  readonly names: readonly string[];
  /** Whether it begins a login. */
  readonly begins: boolean;
}

/**
 * Ties the traces of what a client did: an order with its payment, notification, queries and refund, or a login with its
 * prompts. Each is a flow, such as `order:T1` or `login:17`. An exchange belongs to the flow of its trace; traces are tied
 * by the order, the session or the simulated person that their routes have noted.
 *
 * A login begins with the simulated person's code, or where that was not recorded, with its redemption. Exchanges arrive
 * from several processes in any order, so that a flow may be found after some of its rows are stored: `ties` names these.
 */
export class TraceFlows {
  /** The flow by trace, session or person; undefined for a trace that is in none yet. */
  readonly #flows = new NewestMap<string, string | undefined>(mostNames, (dropped) => {
    for (const name of dropped.keys()) this.#redeemed.delete(name);
  });
  /** Persons whose login has redeemed its code: another redemption is another login. */
  readonly #redeemed = new Set<string>();
  #ties: Tie[] = [];

  /** The flow of an exchange. `id`: that of its record. */
  flowOf(exchange: Exchange, id: number): string | undefined {
    const { order, span } = exchange.notes;
    const trace = span && `trace:${span.traceId}`;
    if (order !== undefined) {
      const flow = `order:${order}`;
      if (trace !== undefined && this.#flows.get(trace) === undefined) this.#remember(trace, flow);
      return flow;
    }
    const { names, begins } = this.#stepOf(exchange);
    const all = [...names, ...(trace === undefined ? [] : [trace])];
    const known = all.map((name) => this.#flows.get(name)).filter((flow) => flow !== undefined);
    const flow = known[0] ?? (begins ? `login:${String(id)}` : undefined);
    for (const other of known) if (flow !== undefined && other !== flow) this.#merge(other, flow);
    for (const name of all) this.#remember(name, flow);
    return flow;
  }

  /** The ties found since the last call. */
  takeTies(): readonly Tie[] {
    const ties = this.#ties;
    this.#ties = [];
    return ties;
  }

  #stepOf({ service, status, notes }: Exchange): Step {
    const { person, session, route, path = "" } = notes;
    if (service === "provider" && person !== undefined) {
      const name = `person:${person}`;
      const givesCode = simLogin.test(path);
      const redeems = codeExchange.test(path);
      if (givesCode || (redeems && this.#redeemed.has(name))) this.#flows.delete(name);
      if (givesCode) this.#redeemed.delete(name);
      if (redeems) this.#redeemed.add(name);
      return { names: [name], begins: givesCode || redeems };
    }
    if (service !== "app" || !session) return { names: [], begins: false };
    const isStep = route?.method === "POST" && loginSteps.includes(route.path);
    if (!isStep && status !== 401) return { names: [], begins: false };
    return { names: [`session:${String(session.id)}`], begins: isStep && route.path === "/api/sessions" };
  }

  #merge(other: string, flow: string): void {
    for (const [name, known] of this.#flows.entries()) if (known === other) this.#flows.set(name, flow);
    this.#ties.push({ flow, other });
  }

  #remember(name: string, flow: string | undefined): void {
    const isLate = flow !== undefined && this.#flows.has(name) && this.#flows.get(name) === undefined;
    if (isLate && name.startsWith("trace:")) this.#ties.push({ flow, trace: name.slice("trace:".length) });
    this.#flows.set(name, flow);
  }
}
