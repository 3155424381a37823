/** How many event streams there may be, over every way to one. */
import { describe, expect, it } from "vitest";
import { consoleToken, startTestApp } from "../../../support/app/test-app.ts";
import { startTestProvider } from "../../../support/payments/test-provider.ts";

const headers = { authorization: `Bearer ${consoleToken}` };

describe("event streams", () => {
  it("beyond the limit are answered 503 with Retry-After, until one has ended", async () => {
    await using app = await startTestApp({ limits: { maxEventStreams: 2 } });
    const events = `${app.url}/console/api/events/stream`;
    const requests = `${app.url}/console/api/requests/stream`;
    const leave = new AbortController();
    const first = await fetch(events, { headers, signal: leave.signal });
    const second = await fetch(requests, { headers });
    for (const url of [events, requests]) {
      const refused = await fetch(url, { headers });
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(await refused.json()).toMatchObject({ code: "too_many_streams" });
      expect((await fetch(url, { method: "HEAD", headers })).status).toBe(200);
    }
    expect([first.status, second.status]).toEqual([200, 200]);
    leave.abort();
    await expect.poll(async () => (await fetch(events, { headers })).status).toBe(200);
    await second.body?.cancel();
  });

  it("of the provider simulator are bounded, too", async () => {
    await using provider = await startTestProvider({}, undefined, undefined, { maxEventStreams: 1 });
    const url = `${provider.url}/sim/order-changes`;
    const first = await fetch(url);
    expect([first.status, (await fetch(url)).status]).toEqual([200, 503]);
    await first.body?.cancel();
    await expect.poll(async () => (await fetch(url)).status).toBe(200);
  });
});
