/** Composition root of the provider simulator: takes dependencies, returns the request handler. */
import type { BusMessage } from "../contract/console/traffic/events.ts";
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
import { below, isBelow, pipeline, where } from "../http/pipeline.ts";
import { createSpanExporter } from "../http/recording/span-exporter.ts";
import { requestLog } from "../http/recording/request-log.ts";
import { recordBody } from "../http/recording/request-recorder.ts";
import { serveControl } from "../http/serve-control.ts";
import type { Kernel } from "../kernel/feature.ts";
import { createTableState } from "../store/table-state.ts";
import { fidelityRoutes } from "./fidelity/fidelity-api.ts";
import { identityFeature } from "./identity/feature.ts";
import { ProviderError } from "./identity/provider-error.ts";
import { testApp } from "./identity/test-app.ts";
import { platformPaymentsFeature } from "./payments/feature.ts";
import type { PaymentPorts } from "./payments/open-records.ts";
import { unknownAddressV2 } from "./payments/v2/v2-routes.ts";
import type { ProviderTables } from "./provider-tables.ts";
import { createSimDocs, type SimDocs } from "./sim-docs.ts";
import { createProviderStates } from "./state/provider-state.ts";
import { stateRoutes } from "./state/state-api.ts";

export interface ProviderDeps {
  readonly keys: KeyGate;
  readonly metrics: MetricRegistry | undefined;
  /** True once the service is being ended. */
  readonly isDraining: () => boolean;
  readonly apiDocs: SimDocs;
  /** The run's console token. The control routes require it from other machines. */
  readonly consoleToken: string;
  /** Sees every request but health checks. */
  readonly record: Middleware | undefined;
  readonly streams: EventStreams;
  readonly onBuiltIn: PaymentPorts["onBuiltIn"];
  readonly poster?: PaymentPorts["poster"];
  /** The simulator's own address, once it listens. */
  readonly ownUrl: () => string;
  /** Receives the simulator's own events. */
  readonly publish: (event: BusMessage) => void;
}

/** Returns the request handler, and the payments. */
export async function createProviderApp(kernel: Kernel<ProviderTables>, deps: ProviderDeps) {
  const { settings, database, log, clock } = kernel;
  const { keys, streams, onBuiltIn, publish } = deps;
  const isToken = createTokenCheck(deps.consoleToken);
  const { routes: identityRoutes, port: identity } = await identityFeature.open(kernel, {
    faults: (call, res, perform) => identityFaults(call, res, perform),
    events: {
      answered: (openid, answers) => payments.miniProgramEvents.answered(openid, answers),
      unsubscribed: (openid, templateId) => payments.miniProgramEvents.unsubscribed(openid, templateId),
      sent: (openid, templateId, messageId) => payments.miniProgramEvents.sent(openid, templateId, messageId),
      mediaChecked: (check) => payments.miniProgramEvents.mediaChecked(check),
    },
  });
  const { routes: paymentRoutes, port: payments } = await platformPaymentsFeature.open(kernel, {
    paymentSettings: () => identity.settings.current(),
    app: testApp,
    buyers: identity.buyers,
    people: identity.people,
    refusePlatform: (errcode) => new ProviderError(errcode),
    ...{ onBuiltIn, streams, isToken, publish, poster: deps.poster },
  });
  const identityFaults = payments.identityFaults((errcode) => new ProviderError(errcode));
  identity.settings.subscribe(payments.settingsChanged);
  const states = createProviderStates({
    tables: createTableState(database.db),
    parts: [...identity.states, payments.state],
    now: clock.now,
  });
  const routes = [...stateRoutes(states, isToken), ...paymentRoutes, ...identityRoutes, ...fidelityRoutes];
  const notSimulated = loadWhenAsked(async () => {
    const { answerNotSimulated } = await import("./fidelity/not-simulated.ts");
    return answerNotSimulated({ url: deps.ownUrl, publish });
  });
  const docs = createSimDocs(routes, deps.apiDocs, log);
  // The simulated platform also answers to the hosts of the real one; the control routes do not.
  const alsoFor = (path: string) => (["/sim", "/metrics"].some((root) => isBelow(root, path)) ? [] : platformHosts);

  const hosts = allowedHosts({ allowed: settings.allowed_hosts, isForPages: isBuyersPage, alsoFor });

  // The control routes and the pages are Hearth's own, and so is the form of their errors.
  const refuseOwn = refuseBy(log, { indent: 0, relaxed: true });
  const refusePlatform = identity.refuse(refuseOwn);
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
        believeProxies(settings.trusted_proxies),
        ...metricsSteps(deps.metrics, [
          hosts,
          guardControl({ isPage: () => false, admit: admitBy(isToken, keys, "metrics:read") }),
        ]),
        compress,
        requestLog(log, {
          exportSpan: createSpanExporter(settings.otlp_endpoint, "provider"),
          namesIds: (path) => isBelow("/sim", path),
        }),
        deps.record,
        hosts,
        below("/sim", guardControl({ isPage, admit: admitBy(isToken, keys, "control") })),
        // Merchants' programs call the platform, no page does. The test keys are public, so a page could sign its calls.
        where((path) => !isBuyersPage(path), guardControl({ isPage })),
        recordBody,
        // The most frequent calls come first.
        payments.v2,
        payments.v3.calls,
        payments.alipay,
        payments.alipayBills,
        serveControl([...routes, ...payments.pages]),
        below("/sim/swagger", docs),
        below("/sim/openapi.json", docs),
        below("/sim", noControlRoute),
        ...identity.calls,
        identity.serve(payments.shippingCalls),
        notSimulated,
        payments.v3.unknown,
        unknownAddressV2,
        () => {
          throw new ProviderError(40066);
        },
      ],
      refuse,
    ),
    payments,
  };
}

/**
 * Where a merchant sends the buyer's browser. It checks by itself who pays there. Alipay's gateway is one, too: no page
 * can sign its calls, because the keys differ on each machine.
 */
const isBuyersPage = (path: string) => isBelow("/pay/h5", path) || path === "/gateway.do";

/** The pages that links may lead to: where a person plays the buyer who scanned an order's code, and the description. */
const isPage = (path: string) => ["/sim/pay", "/sim/swagger"].some((root) => isBelow(root, path));

const noControlRoute: Middleware = (req) => {
  throw notFound(`Control route ${String(req.method)} ${String(req.url)} does not exist.`);
};
