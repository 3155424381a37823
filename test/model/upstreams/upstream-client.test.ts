import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { afterEach, describe, expect, it, vi } from "vitest";
import { parseUpstream } from "../../../server/contract/process/upstream-setting.ts";
import { createOutgoingRequests } from "../../../server/http/outgoing/outgoing-requests.ts";
import { createTargets } from "../../../server/http/outgoing/targets.ts";
import { UpstreamClient } from "../../../server/model/upstream/upstream-client.ts";
import { json, startScriptedUpstream } from "../../support/model/scripted-upstream.ts";

describe("a client of an upstream", () => {
  afterEach(() => void vi.useRealTimers());

  it("waits for the answer of one that has accepted a request, though a timer began it, as a check", async () => {
    await using upstream = await startScriptedUpstream();
    const outgoing = createOutgoingRequests({ targets: createTargets([]) });
    const client = new UpstreamClient(parseUpstream(upstream.url), undefined, outgoing, () => undefined);
    const ask = () => client.ask("/api/tags", undefined, new AbortController().signal);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    // The first one connects, the second one finds a connection that is kept.
    for (const models of [[], ["m"]]) {
      const asked = Promise.withResolvers<ServerResponse>();
      upstream.list = asked.resolve;
      const answer = new Promise((resolve) => setImmediate(() => resolve(ask())));
      const res = await asked.promise;
      vi.advanceTimersByTime(3_600_000);
      json(res, 200, { models });
      expect(await answer).toEqual({ models });
    }
    outgoing.destroy();
  });

  it("reads no more of a line than 16 MiB, and hangs up", async () => {
    await using upstream = await startScriptedUpstream();
    const outgoing = createOutgoingRequests({ targets: createTargets([]) });
    const client = new UpstreamClient(parseUpstream(upstream.url), undefined, outgoing, () => undefined);
    upstream.answer = (res) => void Readable.from(Array<string>(40).fill("x".repeat(1024 ** 2))).pipe(res);
    const lines = client.stream("/api/chat", {}, new AbortController().signal);
    await expect(lines.next()).rejects.toMatchObject({
      status: 502,
      message: `upstream ${upstream.url} is broken: a line is longer than 16777216 characters`,
    });
    await upstream.asked[0]?.closed;
    outgoing.destroy();
  });

  it("reads no more of a whole reply than 64 MiB", async () => {
    await using upstream = await startScriptedUpstream();
    const outgoing = createOutgoingRequests({ targets: createTargets([]) });
    const client = new UpstreamClient(parseUpstream(upstream.url), undefined, outgoing, () => undefined);
    upstream.list = (res) => void Readable.from(Array<string>(65).fill("x".repeat(1024 ** 2))).pipe(res);
    await expect(client.ask("/api/tags", undefined, new AbortController().signal)).rejects.toMatchObject({
      status: 502,
      message: `upstream ${upstream.url} is broken: the reply is longer than 67108864 bytes`,
    });
    outgoing.destroy();
  });

  it("tells of a connection that fails at once, though a timer began the request", async () => {
    const outgoing = createOutgoingRequests({ targets: createTargets([]) });
    const { signal } = new AbortController();
    // The system refuses to connect to this address without asking anybody.
    const client = new UpstreamClient(parseUpstream("http://255.255.255.255:80"), undefined, outgoing, () => undefined);
    const answer = new Promise((resolve) => setImmediate(() => resolve(client.ask("/api/tags", undefined, signal))));
    await expect(answer).rejects.toThrow("does not answer");
    outgoing.destroy();
  });
});
