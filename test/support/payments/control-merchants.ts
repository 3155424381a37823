/** Another merchant than the built-in one, and a way to register it by the simulator's control routes. */
import type { TestProvider } from "./test-provider.ts";

export const otherMerchant = { mchId: "1900000110", apiV2Key: "k".repeat(32) };
export const registration = { app_ids: ["wx0000000000000110"], api_v2_key: "k".repeat(32), api_v3_key: "v".repeat(32) };

/** Status and body, which `control` of the provider does not tell apart. */
export async function callControl(own: TestProvider, method: string, path: string, body?: unknown) {
  const response = await fetch(`${own.url}/sim${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
