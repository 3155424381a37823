/** The APIs of payments: those of merchants, the pages and calls of buyers, and the control routes. */
import type { Targets } from "../../http/outgoing/targets.ts";
import { createReadAppParameters } from "./alipay/app-parameters.ts";
import { createBillDownloads } from "./alipay/bill-call.ts";
import { alipayCalls } from "./alipay/alipay-calls.ts";
import { alipayCredentialRoutes } from "./alipay/credentials-api.ts";
import { createGateway } from "./alipay/gateway.ts";
import { createReturnOfAlipay } from "./alipay/return-address.ts";
import { createBills } from "./bills/bills.ts";
import { buyerRoutes } from "./buyer/buyer-api.ts";
import { createBuying } from "./buyer/buying.ts";
import { createReadParameters } from "./buyer/client-parameters.ts";
import type { PayLinks } from "./buyer/pay-links.ts";
import { createPayPages } from "./buyer/pay-pages.ts";
import { createAnswerCall } from "./calls/create-answer-call.ts";
import { merchantRoutes } from "./control/merchants-api.ts";
import { moneyMoveRoutes } from "./control/money-moves-api.ts";
import { createOrderChanges } from "./control/order-changes.ts";
import { orderRoutes } from "./control/orders-api.ts";
import { keyRoutes, type ReadCredentials } from "./keys/keys-api.ts";
import type { PaymentBackground } from "./open-background.ts";
import type { PaymentParts, PaymentPorts, PaymentRecords } from "./open-records.ts";
import type { MessagePusher } from "./message-push/message-pusher.ts";
import { shareRoutes } from "./profit-sharing/shares-api.ts";
import { contractPages } from "./papay/contract-pages.ts";
import { contractRoutes } from "./papay/contracts-api.ts";
import { transferRoutes } from "./transfers/transfers-api.ts";
import { receiverCheckRoutes } from "./receiver-check/receiver-checks-api.ts";
import { ReceiverChecks } from "./receiver-check/receiver-checks.ts";
import { createV2Routes } from "./v2/v2-routes.ts";
import type { RouteV3 } from "./v3/route-v3.ts";
import { createV3Routes } from "./v3/v3-routes.ts";

/** The ledger is that of the background. */
interface Deps extends PaymentPorts, PaymentParts, Omit<PaymentRecords, "ledger">, Omit<PaymentBackground, "close"> {
  readonly links: PayLinks;
  /** Addresses that the simulator may send requests to on a user's behalf. */
  readonly targets: Targets;
  readonly builtInMchId: string;
  readonly pusher: Pick<MessagePusher, "underTest">;
  /** The calls of version 3 of other products. */
  readonly productCalls: readonly RouteV3[];
  readonly readCredentials: ReadCredentials;
}

export function createPaymentApis(deps: Deps) {
  const { links, merchants, keys, faults, callLog, log, isToken } = deps;
  const buying = createBuying(deps);
  const pages = createPayPages({ ...deps, buying, returnOfAlipay: createReturnOfAlipay(deps) });
  const readParameters = createReadParameters({
    ...deps,
    merchant: (mchId) => merchants.get(mchId),
    publicKeys: (mchId) => keys.merchantPublicKeys(mchId),
  });
  const changes = createOrderChanges({ ...deps, payPage: links.inBrowser });
  const checks = new ReceiverChecks(deps);
  const calls = {
    ...deps,
    bills: createBills(deps),
    answerCall: createAnswerCall({ ...deps, log: callLog, faults: faults.calls }),
    payPage: links.h5,
    signPage: links.contract,
  };

  const billDownloads = createBillDownloads(calls);

  return {
    v2: createV2Routes({ ...calls, onError: (error) => log.error({ err: error }, "a call of version 2 failed") }),
    v3: createV3Routes(calls),
    alipay: createGateway({
      ...calls,
      alipayCalls: [...alipayCalls(calls), billDownloads.call],
      onError: (error) => log.error({ err: error }, "a call of Alipay's gateway failed"),
    }),
    alipayBills: billDownloads.serve,
    pages: [...pages.h5, ...contractPages(deps.papay)],
    routes: [
      ...keyRoutes(deps),
      ...alipayCredentialRoutes(deps),
      ...merchantRoutes(deps),
      ...orderRoutes({ ...deps, payPage: links.inBrowser }),
      ...moneyMoveRoutes(deps),
      changes.route,
      ...buyerRoutes({ ...deps, readParameters: createReadAppParameters(calls, readParameters), buying }),
      ...pages.scan,
      ...shareRoutes(deps.profitSharing),
      ...transferRoutes(deps.transfers),
      ...contractRoutes({ ...deps.papay, signPage: links.contract }),
      ...faults.routes,
      ...receiverCheckRoutes(checks, isToken),
    ],
    removeLeftovers: () => checks.removeLeftovers(),
    /** Another state was loaded. */
    reset(): void {
      buying.cancelAll();
      changes.reset();
    },
    /** Ends what goes on for clients; calls are still answered. */
    async close(): Promise<void> {
      changes.close();
      await checks.close();
      buying.close();
    },
  };
}
