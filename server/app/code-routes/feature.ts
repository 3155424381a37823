import { createEventStreams } from "../../http/connection/bodies/event-streams.ts";
import { loginPolicyOf } from "../../http/login.ts";
import type { Route } from "../../http/route.ts";
import type { EventKernel, Feature } from "../../kernel/feature.ts";
import { codeRoute, type CallerDeps } from "./code-route.ts";
import { answerAsk, type AskedItems } from "./answer-ask.ts";
import { CodeRoutes } from "./code-routes.ts";
import { CodeState, type CodeTables } from "./code-state.ts";

/** Fewer than the connections of a server. */
const mostStreams = 1_500;

interface Ports extends Pick<CallerDeps, "personOf"> {
  readonly access: AskedItems;
  /** Routes whose paths users cannot define. */
  readonly builtIn: readonly Route[];
}

/** Routes that a project's own code answers, in a process of its own. Undefined unless the run has such code. */
export const codeRoutesFeature: Feature<EventKernel<CodeTables>, Ports, CodeRoutes | undefined> = {
  name: "code-routes",
  tags: { "code-routes": "Routes that the project's own code answers (setting `routes`)." },
  open({ settings, database, bus, log, atClose }, { builtIn, access, personOf }) {
    const { routes: main } = settings;
    if (main === undefined) return { port: undefined };
    const createOrder = builtIn.find(({ spec }) => spec.id === "createOrder");
    if (!createOrder) throw new Error("the route createOrder does not exist");
    const streams = createEventStreams(mostStreams);
    const deps: CallerDeps = { personOf, createOrder, streams, policy: loginPolicyOf(settings) };
    const code = new CodeRoutes({
      ...{ main, bus, log },
      builtIn: builtIn.map(({ spec }) => spec),
      state: new CodeState(database),
      answer: (ask) => answerAsk(access, ask),
      routeOf: (route, own) => codeRoute(route, own, deps),
    });
    const stopFollowing = bus.subscribe(({ type, data }) => {
      if (type !== "state.reset" && type !== "fixture.loaded") return;
      if ((data as { readonly parts: readonly string[] }).parts.includes("records")) code.forget();
    });
    atClose(async () => {
      stopFollowing();
      await code.close();
    });
    // Open streams would keep the server from ending.
    return { port: code, start: () => atClose(() => streams.close()) };
  },
};
