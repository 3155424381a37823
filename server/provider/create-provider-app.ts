/** Composition root of the provider simulator: takes dependencies, returns the request handler. */
import type { RequestListener } from "node:http";
import type { Logger } from "pino";
import type { HearthEvents } from "../contract/console/traffic/events.ts";
import { platformHosts } from "../contract/platform-hosts.ts";
import { allowedHosts } from "../http/conventions/allowed-hosts.ts";
import { createTokenCheck } from "../http/conventions/bearer-token.ts";
import { admitBy, guardControl } from "../http/conventions/control.ts";
import { compress } from "../http/conventions/compress.ts";
import { refuseBy } from "../http/conventions/error-handler.ts";
import { health } from "../http/conventions/health.ts";
import type { EventStreams } from "../http/connection/bodies/event-streams.ts";
import { takePassedOn } from "../http/connection/peer/caller.ts";
import { believeProxies } from "../http/connection/peer/forwarded.ts";
import { notFound } from "../http/http-error.ts";
import type { KeyGate } from "../http/keys/key-gate.ts";
import type { MetricRegistry } from "../http/metrics/metric-registry.ts";
import { metricsSteps } from "../http/metrics/service-metrics.ts";
import { loadWhenAsked } from "../http/load-when-asked.ts";
import { pathOf, type Middleware, type Refuse } from "../http/middleware.ts";
import type { Targets } from "../http/outgoing/targets.ts";
import { below, isBelow, pipeline, where } from "../http/pipeline.ts";
import { requestLog } from "../http/recording/request-log.ts";
import { recordBody } from "../http/recording/request-recorder.ts";
import { serveControl } from "../http/serve-control.ts";
import type { WakeAt } from "../time/adjustable-clock.ts";
import type { Database } from "../store/database.ts";
import { createTableState } from "../store/table-state.ts";
import { createCallQuota } from "./identity/call-quota.ts";
import { createCredentials } from "./identity/credentials.ts";
import { identityState } from "./identity/identity-state.ts";
import { identityCalls, providerRefusals } from "./identity/identity-api.ts";
import { ProviderError } from "./identity/provider-error.ts";
import { simRoutes } from "./identity/sim-api.ts";
import { openSimSettings } from "./identity/sim-settings.ts";
import { userNamed } from "./identity/sim-request.ts";
import { createSimUsers } from "./identity/sim-users.ts";
import { testApp } from "./identity/test-app.ts";
import { createPayments, type Payments, type PaymentsDeps } from "./payments/create-payments.ts";
import { unknownAddressV2 } from "./payments/v2/v2-routes.ts";
import { fidelityRoutes } from "./fidelity/fidelity-api.ts";
import type { ProviderTables } from "./provider-tables.ts";
import { createSimDocs, type SimDocs } from "./sim-docs.ts";
import { createProviderStates } from "./state/provider-state.ts";
import { stateRoutes } from "./state/state-api.ts";

export interface ProviderDeps {
  /** The setting allowed_hosts. */
  readonly allowedHosts: readonly string[];
  /** The setting trusted_proxies. */
  readonly trustedProxies: readonly string[];
  readonly keys: KeyGate;
  readonly metrics: MetricRegistry | undefined;
  /** True once the service is being ended. */
  readonly isDraining: () => boolean;
  readonly apiDocs: SimDocs;
  /** The run's console token. The control routes require it from other machines. */
  readonly consoleToken: string;
  /** Addresses that the simulator may send requests to on a user's behalf. */
  readonly targets: Targets;
  readonly database: Database<ProviderTables>;
  readonly log: Logger;
  /** Unix time in ms. */
  readonly now: () => number;
  readonly wakeAt: WakeAt;
  /** The path at which the newest platform certificate is stored as a file. */
  readonly certificateFile: string;
  /** Sees every request but health checks. */
  readonly record?: Middleware | undefined;
  readonly streams: EventStreams;
  readonly onBuiltIn: PaymentsDeps["onBuiltIn"];
  /** Receives each published operation that is not simulated when it is first called. */
  readonly onNotSimulated: (operation: HearthEvents["provider.not_simulated"]) => void;
}

export interface ProviderApp {
  readonly handler: RequestListener;
  readonly readCredentials: Payments["readCredentials"];
  /** Starts the timed events. */
  start: Payments["start"];
  /** Stops the timed events; requests are still answered. */
  stop: Payments["stop"];
  /** Call it after the last request is answered. */
  close: Payments["close"];
}

export async function createProviderApp(deps: ProviderDeps): Promise<ProviderApp> {
  const { consoleToken, keys, log, now } = deps;
  const { db, instances } = deps.database;
  const settings = await openSimSettings(db, instances, (error) =>
    log.error({ err: error }, "settings of another instance could not be read"),
  );
  const users = createSimUsers({ db, settings, now });
  const isToken = createTokenCheck(consoleToken);
  const payments = await createPayments({
    ...deps,
    isToken,
    settings: () => settings.current(),
    app: testApp,
    buyers: {
      byName: (name) => userNamed(name, users),
      byOpenId: (openid) => users.findByOpenId(openid),
    },
  });
  settings.subscribe((before) => payments.settingsChanged(before));
  const quota = createCallQuota(now);
  const identity = identityState(async () => {
    quota.clear();
    await settings.reload();
  });
  const parts = [identity, payments.state];
  const states = createProviderStates({ tables: createTableState(db), parts, now });
  const routes = [
    ...stateRoutes(states, isToken),
    ...payments.routes,
    ...simRoutes({ users, settings, now }),
    ...fidelityRoutes,
  ];
  let url = "";
  const notSimulated = loadWhenAsked(async () => {
    const { answerNotSimulated } = await import("./fidelity/not-simulated.ts");
    return answerNotSimulated({ url: () => url, onFirst: deps.onNotSimulated });
  });
  const docs = createSimDocs(routes, deps.apiDocs, log);
  // The simulated platform also answers to the hosts of the real one; the control routes do not.
  const alsoFor = (path: string) => (["/sim", "/metrics"].some((root) => isBelow(root, path)) ? [] : platformHosts);

  const hosts = allowedHosts({ allowed: deps.allowedHosts, isForPages: isBuyersPage, alsoFor });

  // The control routes and the pages are Hearth's own, and so is the form of their errors.
  const refuseOwn = refuseBy(log, { indent: 0, relaxed: true });
  const refusePlatform = providerRefusals(settings, log, refuseOwn);
  const refuse: Refuse = (error, req, res) => {
    const isOwn =
      ["/sim", "/pay/h5", "/metrics"].some((root) => isBelow(root, pathOf(req))) && !(error instanceof ProviderError);
    (isOwn ? refuseOwn : refusePlatform)(error, req, res);
  };

  return {
    handler: pipeline(
      [
        health(deps.isDraining),
        takePassedOn(isToken),
        believeProxies(deps.trustedProxies),
        ...metricsSteps(deps.metrics, [
          hosts,
          guardControl({ isPage: () => false, admit: admitBy(isToken, keys, "metrics:read") }),
        ]),
        compress,
        requestLog(log),
        deps.record,
        hosts,
        below("/sim", guardControl({ isPage, admit: admitBy(isToken, keys, "control") })),
        // Merchants' programs call the platform, no page does. The test keys are public, so a page could sign its calls.
        where((path) => !isBuyersPage(path), guardControl({ isPage })),
        recordBody,
        // The most frequent calls come first.
        payments.v2,
        payments.v3.calls,
        serveControl([...routes, ...payments.pages]),
        below("/sim/swagger", docs),
        below("/sim/openapi.json", docs),
        below("/sim", noControlRoute),
        notSimulated,
        payments.v3.unknown,
        unknownAddressV2,
        identityCalls({
          users,
          credentials: createCredentials(db, now),
          settings,
          quota,
          faults: payments.identityFaults((errcode) => new ProviderError(errcode)),
          now,
        }),
        () => {
          throw new ProviderError(40066);
        },
      ],
      refuse,
    ),
    readCredentials: payments.readCredentials,
    start: (origins) => {
      url = origins.here;
      return payments.start(origins);
    },
    stop: () => payments.stop(),
    close: () => payments.close(),
  };
}

/** Where a merchant sends the buyer's browser. It checks by itself who pays there. */
const isBuyersPage = (path: string) => isBelow("/pay/h5", path);

/** The pages that links may lead to: where a person plays the buyer who scanned an order's code, and the description. */
const isPage = (path: string) => ["/sim/pay", "/sim/swagger"].some((root) => isBelow(root, path));

const noControlRoute: Middleware = (req) => {
  throw notFound(`There is no control route ${String(req.method)} ${String(req.url)}.`);
};
