/** The simulator's requests and replies of version 3 against the published description of their fields. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { root } from "../../build/root.ts";
import descriptions from "../../server/contract/provider/operations/descriptions.json" with { type: "json" };
import { publishedOperations } from "../../server/contract/provider/operations/published-operations.ts";
import { simulatedOperations } from "../../server/contract/provider/operations/simulated-operations.ts";
import * as complaintRequests from "../../server/provider/payments/complaints/complaint-requests.ts";
import { mediaNumber } from "../../server/provider/payments/media/media-calls.ts";
import * as requests from "../../server/provider/payments/v3/requests-v3.ts";
import { complaintReplies } from "../support/payments/complaint-replies.ts";
import { combinedAndPartners, repliesOfCombinedAndPartners } from "../support/payments/described-combined.ts";
import { compareFields, compareReply, type FieldSchema } from "../support/payments/compare-fields.ts";
import { repliesOfSharesAndTransfers, sharesAndTransfers } from "../support/payments/described-shares.ts";
import { papayReplies, papaySchemas } from "../support/payments/described-papay.ts";
import { evidenceOf } from "../support/payments/operation-evidence.ts";
import { explanations } from "../support/payments/explained-differences.ts";
import { createMerchantV3, type MerchantV3, type ReplyV3 } from "../support/payments/merchant-v3.ts";
import { startTestProvider, type TestProvider } from "../support/payments/test-provider.ts";

const places = ["path", "query", "body"] as const;
type Schemas = Partial<Record<(typeof places)[number], z.ZodType>>;
interface Described extends Partial<Record<(typeof places)[number], FieldSchema>> {
  readonly replies: Readonly<Record<string, FieldSchema | null>>;
}
const described = descriptions as unknown as Readonly<Record<string, Described>>;

const orders = "/v3/pay/transactions";
const refunds = "/v3/refund/domestic/refunds";
const complaints = "/v3/merchant-service/complaints-v2";
const complaintReceivers = "/v3/merchant-service/complaint-notifications";
const byComplaint = { path: complaintRequests.complaintNumber };
const byNumber = { path: requests.orderNumber };

/** The schemas by which the simulator reads each call. */
const schemas: Readonly<Record<string, Schemas>> = {
  [`POST ${orders}/jsapi`]: { body: requests.orderBodies.jsapi },
  [`POST ${orders}/app`]: { body: requests.orderBodies.app },
  [`POST ${orders}/h5`]: { body: requests.orderBodies.h5 },
  [`POST ${orders}/native`]: { body: requests.orderBodies.native },
  [`POST ${orders}/codepay`]: { body: requests.codeOrderBody },
  [`GET ${orders}/out-trade-no/{out_trade_no}`]: { ...byNumber, query: requests.byMerchant },
  [`GET ${orders}/id/{transaction_id}`]: { path: requests.transactionNumber, query: requests.byMerchant },
  [`POST ${orders}/out-trade-no/{out_trade_no}/close`]: { ...byNumber, body: requests.closeBody },
  [`POST ${orders}/out-trade-no/{out_trade_no}/reverse`]: { ...byNumber, body: requests.reverseBody },
  [`POST ${refunds}`]: { body: requests.refundBody },
  [`GET ${refunds}/{out_refund_no}`]: { path: requests.refundNumber, query: requests.refundQueryFields },
  [`POST ${refunds}/{refund_id}/apply-abnormal-refund`]: { path: requests.refundId, body: requests.abnormalRefundBody },
  "GET /v3/bill/tradebill": { query: requests.tradeBillQuery },
  "GET /v3/bill/fundflowbill": { query: requests.flowBillQuery },
  "GET /v3/billdownload/file": { query: requests.billFileQuery },
  "GET /v3/certificates": {},
  ...sharesAndTransfers,
  ...combinedAndPartners,
  ...papaySchemas,
  // The description has no fields of forms.
  "POST /v3/merchant/media/upload": {},
  "POST /v3/merchant/media/video_upload": {},
  "POST /v3/merchant-service/images/upload": {},
  "GET /v3/merchant-service/images/{media_id}": { path: mediaNumber },
  [`GET ${complaints}`]: { query: complaintRequests.complaintsQuery },
  [`GET ${complaints}/{complaint_id}`]: byComplaint,
  [`GET ${complaints}/{complaint_id}/negotiation-historys`]: { ...byComplaint, query: complaintRequests.historyQuery },
  [`POST ${complaints}/{complaint_id}/response`]: { ...byComplaint, body: complaintRequests.replyBody },
  [`POST ${complaints}/{complaint_id}/complete`]: { ...byComplaint, body: complaintRequests.completeBody },
  [`POST ${complaints}/{complaint_id}/update-refund-progress`]: {
    ...byComplaint,
    body: complaintRequests.refundDecisionBody,
  },
  [`POST ${complaintReceivers}`]: { body: complaintRequests.receiverBody },
  [`PUT ${complaintReceivers}`]: { body: complaintRequests.receiverBody },
  [`GET ${complaintReceivers}`]: {},
  [`DELETE ${complaintReceivers}`]: {},
};

const noFields: FieldSchema = { properties: {} };
const toFields = (schema: z.ZodType | undefined): FieldSchema =>
  schema ? (z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as FieldSchema) : noFields;

const isExplained = (operation: string, difference: string) =>
  explanations.some((known) => known.operation.test(operation) && known.difference.test(difference));
const unexplained = (operation: string, found: readonly string[]) =>
  found.filter((difference) => !isExplained(operation, difference)).map((difference) => `${operation} ${difference}`);

const ofRequests = (operation: string) =>
  places.flatMap((place) => {
    const theirs = described[operation]?.[place] ?? noFields;
    return compareFields(toFields(schemas[operation]?.[place]), theirs).map((found) => `${place} ${found}`);
  });

let provider: TestProvider;
let merchant: MerchantV3;
let replies: Awaited<ReturnType<typeof collectReplies>>;
beforeAll(async () => {
  provider = await startTestProvider();
  await provider.control("PATCH", "/settings", { refund_seconds: 3_600, bills_at_once: true });
  merchant = await createMerchantV3(provider.url);
  replies = await collectReplies();
});
afterAll(() => provider[Symbol.asyncDispose]());

it("every simulated call of version 3 reads the fields that are described, but for explained differences", () => {
  const simulated = Object.keys(simulatedOperations).filter((operation) => operation.includes(" /v3/"));
  expect(Object.keys(schemas).toSorted()).toEqual(simulated.toSorted());
  expect(simulated.flatMap((operation) => unexplained(operation, ofRequests(operation)))).toEqual([]);
});

/** One reply of each call, in the order in which a merchant comes to it. */
async function collectReplies(): Promise<readonly (readonly [operation: string, reply: ReplyV3])[]> {
  const { mch_id: mchid, app_id: appid } = merchant.credentials;
  const payer = { openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o" };
  const scene_info = { payer_client_ip: "127.0.0.1", h5_info: { type: "Wap" } };
  const changed: Readonly<Record<string, object>> = { jsapi: { payer }, h5: { scene_info } };
  const collected: (readonly [string, ReplyV3])[] = [];
  const note = async (operation: string, reply: ReplyV3 | Promise<ReplyV3>) => {
    const came = await reply;
    collected.push([operation, came]);
    return came;
  };
  for (const product of ["jsapi", "app", "h5", "native"])
    await note(`POST ${orders}/${product}`, merchant.place(product, `DESC_${product}`, { ...changed[product] }));
  const query = (no: string) => note(`GET ${orders}/out-trade-no/{out_trade_no}`, merchant.query(no));
  await query("DESC_native");
  await provider.control("POST", "/orders/DESC_native/pay");
  const { transaction_id, success_time } = (await query("DESC_native")).json;
  await note(
    `GET ${orders}/id/{transaction_id}`,
    merchant.call("GET", `${orders}/id/${transaction_id}?mchid=${mchid}`),
  );
  await note(`POST ${orders}/out-trade-no/{out_trade_no}/close`, merchant.close("DESC_app"));
  const refund = await note(
    `POST ${refunds}`,
    merchant.call("POST", refunds, {
      ...{ out_trade_no: "DESC_native", out_refund_no: "DESC_R" },
      amount: { refund: 1, total: 101, currency: "CNY" },
    }),
  );
  await note(`GET ${refunds}/{out_refund_no}`, merchant.call("GET", `${refunds}/DESC_R`));
  const { refund_id } = refund.json;
  await provider.control("POST", `/refunds/${refund_id}/finish`, { status: "ABNORMAL" });
  await note(
    `POST ${refunds}/{refund_id}/apply-abnormal-refund`,
    merchant.call("POST", `${refunds}/${refund_id}/apply-abnormal-refund`, {
      ...{ out_refund_no: "DESC_R", type: "MERCHANT_BANK_CARD" },
    }),
  );
  const { auth_code } = await provider.control("POST", "/users/ada/payment-codes", {});
  const { notify_url: _unknownThere, ...byCode } = merchant.order("DESC_CODE", {
    payer: { auth_code },
    scene_info: { store_info: { id: "1" } },
  });
  await note(`POST ${orders}/codepay`, merchant.call("POST", `${orders}/codepay`, byCode));
  await note(
    `POST ${orders}/out-trade-no/{out_trade_no}/reverse`,
    merchant.call("POST", `${orders}/out-trade-no/DESC_CODE/reverse`, { appid, mchid }),
  );
  const day = String(success_time).slice(0, 10);
  for (const bill of ["tradebill", "fundflowbill"])
    await note(`GET /v3/bill/${bill}`, merchant.call("GET", `/v3/bill/${bill}?bill_date=${day}`));
  await note("GET /v3/certificates", merchant.call("GET", "/v3/certificates"));
  collected.push(
    ...(await repliesOfSharesAndTransfers(provider, merchant)),
    ...(await repliesOfCombinedAndPartners(provider, merchant)),
  );
  collected.push(...(await complaintReplies(provider, merchant)));
  return [...collected, ...(await papayReplies(provider, merchant))];
}

it("every reply of version 3 has the fields that are described, but for explained differences", () => {
  const files = Object.keys(schemas).filter((operation) => !replies.some(([known]) => known === operation));
  expect(files).toEqual(["GET /v3/billdownload/file", "GET /v3/merchant-service/images/{media_id}"]);
  const found = replies.flatMap(([operation, { status, json, text }]) => {
    const schema = described[operation]?.replies[String(status)];
    if (schema === undefined) return [`${operation} reply of status ${String(status)} is not described: ${text}`];
    const differences = schema === null ? (text === "" ? [] : ["/: has a body"]) : compareReply(json, schema);
    return unexplained(
      operation,
      differences.map((difference) => `reply ${difference}`),
    );
  });
  expect(found).toEqual([]);
});

it("every explanation is needed", () => {
  const all = [
    ...Object.keys(schemas).flatMap((operation) => ofRequests(operation).map((found) => [operation, found] as const)),
    ...replies.flatMap(([operation, { status, json }]) => {
      const schema = described[operation]?.replies[String(status)];
      return schema ? compareReply(json, schema).map((found) => [operation, `reply ${found}`] as const) : [];
    }),
  ];
  const idle = explanations.filter(
    (known) => !all.some(([operation, found]) => known.operation.test(operation) && known.difference.test(found)),
  );
  expect(idle.map(({ reason }) => reason)).toEqual([]);
});

it("an operation is exact only with a description, and with tests of its refusals and of two clients", () => {
  const exact = publishedOperations.filter((operation) => operation.class === "exact");
  const names = exact.map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(evidenceOf).toSorted()).toEqual(names.toSorted());
  for (const name of names) {
    const { refusals, lives } = evidenceOf[name] ?? { refusals: undefined, lives: [] };
    expect(described[name], name).toBeDefined();
    expect(lives[0], name).not.toEqual(lives[1]);
    for (const [file, title] of refusals ? [refusals, ...lives] : []) {
      const text = readFileSync(join(root, "test", file), "utf8");
      const isThere = [...text.matchAll(/\bit(?:[.]each\([^)]*\))?\(\s*"([^"]+)"/g)].some(
        ([, found]) => found === title,
      );
      expect(isThere, `${name}: ${file} has the test "${title}"`).toBe(true);
    }
  }
});

it("no address that the simulator's sources name is listed as not simulated", () => {
  const missing = new Set(publishedOperations.filter((one) => one.class === "not_simulated").map(({ path }) => path));
  const named = globSync("server/provider/**/*.ts", { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(/"([/][^"\s]+)"/g)].map(([, path = ""]) => path),
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((path) => missing.has(path))).toEqual([]);
});

it("every operation that is listed as simulated is published and answered", async () => {
  const published = new Set(publishedOperations.map(({ method, path }) => `${method} ${path}`));
  for (const operation of Object.keys(simulatedOperations)) {
    expect(published.has(operation), operation).toBe(true);
    const [method, path = ""] = operation.split(" ");
    const response = await fetch(`${provider.url}${path.replaceAll(/[{][^}]+[}]/g, "1")}`, { method: method ?? "" });
    const text = await response.text();
    expect([404, 405, 501], operation).not.toContain(response.status);
    expect(text, operation).not.toContain("does not simulate");
  }
});
