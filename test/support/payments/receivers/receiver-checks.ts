/** Runs checks of receivers over the control routes of the simulator. */
import { expect } from "vitest";
import { productRowTexts, pushRowTexts } from "../../../../server/contract/provider/checks/product-row-texts.ts";
import type { ReceiverCheckRow } from "../../../../server/contract/provider/checks/receiver-check-rows.ts";
import { receiverRows } from "../../../../server/contract/provider/checks/receiver-rows.ts";
import {
  receiverCheckSchema,
  type ReceiverCheck,
  type ReceiverCheckRequest,
} from "../../../../server/contract/provider/checks/receiver-checks.ts";

interface Simulator {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Gives receivers more than the 5 s that they have: what they answer is tested, not how busy this machine is. */
export async function allowTime(providerUrl: string): Promise<void> {
  const response = await fetch(`${providerUrl}/sim/settings`, {
    method: "PATCH",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ notification_timeout_ms: 30_000 }),
  });
  expect(response.status).toBe(200);
}

/** Starts a check, and waits until it is over. */
export async function checkReceiver(
  { url, headers = {} }: Simulator,
  input: ReceiverCheckRequest,
): Promise<ReceiverCheck> {
  const started = await fetch(`${url}/sim/receiver-checks`, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify(input),
  });
  expect(started.status).toBe(201);
  const address = `${url}/sim/receiver-checks/${String(receiverCheckSchema.parse(await started.json()).id)}`;
  const read = async () => receiverCheckSchema.parse(await (await fetch(address, { headers })).json());
  await expect.poll(async () => (await read()).state, { interval: 100 }).not.toBe("running");
  return read();
}

/** Rows that take a second or more by their nature. */
export const slowRows: readonly ReceiverCheckRow[] = ["delayed", "malformed-huge", "query-silent", "lost"];
/** The rows about products beside payments: a genuine notification and its forgeries. */
export const productRows = Object.keys(productRowTexts) as ReceiverCheckRow[];
const pushRows = Object.keys(pushRowTexts) as ReceiverCheckRow[];

export const quickRows = (Object.keys(receiverRows) as ReceiverCheckRow[]).filter(
  (row) => ![...slowRows, ...productRows, ...pushRows].includes(row),
);

/** The rows that failed, each with what was wrong. */
export const failed = ({ results }: ReceiverCheck): Partial<Record<ReceiverCheckRow, readonly string[]>> =>
  Object.fromEntries(results.flatMap(({ row, verdict, failings }) => (verdict === "fail" ? [[row, failings]] : [])));

export const rowsOf = ({ results }: ReceiverCheck, verdict: string): ReceiverCheckRow[] =>
  results.filter((one) => one.verdict === verdict).map(({ row }) => row);
