import { beforeEach, describe, expect, it } from "vitest";
import { TraceFlows } from "../../../server/app/requests/trace-flows.ts";
import type { ExchangeNotes } from "../../../server/http/recording/exchange-notes.ts";
import type { Exchange } from "../../../server/http/recording/request-recorder.ts";
import type { Session } from "../../../server/http/login.ts";
import { newSpan } from "../../../server/trace/span.ts";

const body = { chunks: [], kept: 0, size: 0 };
const exchange = (service: Exchange["service"], trace: string, notes: ExchangeNotes, status = 200): Exchange => ({
  ...{ service, status, notes: { span: { ...newSpan(), traceId: trace }, ...notes } },
  ...{ time: 0, ms: 1, method: "POST", target: "/", client: "127.0.0.1", complete: true },
  ...{ requestHeaders: [], requestBody: body, responseHeaders: {}, responseBody: body },
});

const provider = (trace: string, notes: ExchangeNotes) => exchange("provider", trace, notes);
const app = (trace: string, path: string, id?: number, status?: number) =>
  exchange(
    "app",
    trace,
    { route: { method: "POST", path }, ...(id !== undefined && { session: { id } as Session }) },
    status,
  );
const simLogin = (trace: string, person: string) => provider(trace, { person, path: "/sim/users/{name}/login" });
const redemption = (trace: string, person: string) => provider(trace, { person, path: "/sns/jscode2session" });

describe("the flow of a recorded request", () => {
  let flows: TraceFlows;
  let id = 0;
  const flowOf = (one: Exchange) => flows.flowOf(one, ++id);
  beforeEach(() => {
    flows = new TraceFlows();
    id = 0;
  });

  it("is that of its trace's order, whether the order is known before or after", () => {
    expect(flowOf(provider("a", { order: "T1" }))).toBe("order:T1");
    expect(flowOf(app("a", "/api/orders"))).toBe("order:T1");
    expect(flows.takeTies()).toEqual([]);
    expect(flowOf(app("b", "/api/orders"))).toBeUndefined();
    expect(flowOf(provider("b", { order: "T2" }))).toBe("order:T2");
    expect(flows.takeTies()).toEqual([{ flow: "order:T2", trace: "b" }]);
    expect(flows.takeTies()).toEqual([]);
  });

  it("is one login from the person's code to the last prompt, and another one for the next code", () => {
    expect(flowOf(simLogin("s1", "carol"))).toBe("login:1");
    expect(flowOf(redemption("a", "carol"))).toBe("login:1");
    expect(flowOf(app("a", "/api/sessions", 7))).toBe("login:1");
    expect(flowOf(app("b", "/api/articles", 7, 401))).toBe("login:1");
    expect(flowOf(app("c", "/api/phonenumbers", 7))).toBe("login:1");
    expect(flowOf(app("d", "/api/articles", 7))).toBeUndefined();
    expect(flowOf(simLogin("s2", "carol"))).toBe("login:7");
  });

  it("is another login for another redemption, where the person's codes are not recorded", () => {
    expect(flowOf(redemption("a", "erin"))).toBe("login:1");
    expect(flowOf(redemption("b", "erin"))).toBe("login:2");
  });

  it("joins a login that was recorded before the call that it has caused", () => {
    expect(flowOf(simLogin("s1", "carol"))).toBe("login:1");
    expect(flowOf(app("a", "/api/sessions", 7))).toBe("login:2");
    expect(flowOf(redemption("a", "carol"))).toBe("login:1");
    expect(flows.takeTies()).toEqual([{ flow: "login:1", other: "login:2" }]);
    expect(flowOf(app("c", "/api/phonenumbers", 7))).toBe("login:1");
  });
});
