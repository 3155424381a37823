/** A real run under a low limit of open files, which every connection takes one of. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openFilesWarning, possibleConnections } from "../../../server/process/open-files.ts";
import { builtCommand, launchHearth } from "../../support/process/launch.ts";

const openFiles = 256;
const possible = 78;

describe.runIf(process.platform === "linux")(`under ulimit -n ${String(openFiles)}`, () => {
  let hearth: ReturnType<typeof launchHearth>;
  let port: number;
  const held: Socket[] = [];
  beforeAll(async () => {
    const limited = `ulimit -n ${String(openFiles)}; exec "$0" "$@"`;
    hearth = launchHearth({ command: ["bash", "-c", limited, process.execPath, builtCommand, "serve"] });
    port = Number(new URL((await hearth.ready()).app).port);
  });
  afterAll(async () => {
    for (const socket of held) socket.destroy();
    await hearth[Symbol.asyncDispose]();
  });

  /** A connection with one request on it; resolves with the head of the answer, or empty when it is cut off. */
  async function ask(path = "/healthz"): Promise<string> {
    const socket = connect(port, "127.0.0.1");
    held.push(socket);
    let head = "";
    socket.on("error", () => undefined);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    const answered = once(socket, "data").then(([data]) => (head = String(data)));
    await Promise.race([answered, once(socket, "close")]).catch(() => undefined);
    return head;
  }

  it("says at the start how many connections fit, and which limit would suffice", async () => {
    await hearth.prints(
      /limit of 256 open files is too low .*need 4100 .*ulimit -n.* accepts 78 connections at a time\n/,
    );
  });

  it("answers 503 beyond the limit, disconnects far beyond it, and serves again when there are fewer", async () => {
    const served = await Promise.all(Array.from({ length: possible }, () => ask()));
    expect(served.filter((head) => head.startsWith("HTTP/1.1 200")).length).toBe(possible);
    const beyond = await Promise.all(Array.from({ length: 300 }, () => ask()));
    const refused = beyond.filter((head) => head.startsWith("HTTP/1.1 503"));
    expect(refused.length).toBeGreaterThan(0);
    expect(
      refused.every((head) => /retry-after: \d+\r\n/i.test(head) && head.includes("open connections, its maximum")),
    ).toBe(true);
    expect(beyond.filter((head) => head !== "").length).toBe(refused.length);
    await hearth.prints(`${String(possible)} connections are open; new ones get 503`);
    for (const socket of held) socket.destroy();
    await expect.poll(async () => (await ask()).slice(0, 12)).toBe("HTTP/1.1 200");
    const statuses = await hearth.statuses();
    expect(Object.values(statuses).map(({ state, restarts }) => [state, restarts])).toEqual(Array(3).fill(["up", 0]));
  });
});

describe("the connection limit", () => {
  it("is 2,000 where the system allows it", () => {
    for (const enough of [4_100, 1_048_576, Infinity]) {
      expect(possibleConnections(enough)).toBe(2_000);
      expect(openFilesWarning(enough)).toBeUndefined();
    }
  });

  it("is lower where the system allows less, but at least one", () => {
    expect([4_098, 1_024, 64].map((few) => possibleConnections(few))).toEqual([1_999, 462, 8]);
    expect(openFilesWarning(1_024)).toContain("accepts 462 connections");
  });
});
