/** This machine reaches Hearth at a loopback address, whatever it listens on besides. */
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, expect, it } from "vitest";
import { networkUrls } from "../../server/http/connection/peer/addresses.ts";
import { PortInUseError } from "../../server/http/connection/listen.ts";
import { serve, type Listener } from "../../server/http/connection/serve.ts";

/** What a machine has depends on it; every one has loopback. */
const interfaces = Object.values(networkInterfaces()).flatMap((one) => one ?? []);
const own = interfaces.filter(({ scopeid }) => !scopeid).map(({ address }) => address);
const inNetwork = interfaces.filter(({ internal, family }) => !internal && family === "IPv4").map((one) => one.address);
/** Who cannot be asked for an address of version 4 has said so by an own one of version 6. */
const hosts = [...new Set(["127.0.0.1", "0.0.0.0", "localhost", ...own, ...(own.includes("::1") ? ["::"] : [])])];
const takesVersion4 = (host: string) => host !== "::1";

const serving = async (host: string, port = 0): Promise<Listener & AsyncDisposable> => {
  const listener = await serve((req, res) => void res.end(req.socket.remoteAddress), { host, port });
  return { ...listener, [Symbol.asyncDispose]: () => listener.close(0) };
};
const at = (host: string, port: number) => `http://${host.includes(":") ? `[${host}]` : host}:${String(port)}`;
const isLoopback = (url: string) => ["127.0.0.1", "[::1]", "localhost"].includes(new URL(url).hostname);

describe.each(hosts)("a server that listens on %s", (host) => {
  it("answers there and at its own address, which is one of loopback, at the same port", async () => {
    await using listener = await serving(host);
    expect(isLoopback(listener.url)).toBe(true);
    expect(Number(new URL(listener.url).port)).toBe(listener.port);
    const urls = [
      listener.url,
      at(host, listener.port),
      ...(takesVersion4(host) ? [at("127.0.0.1", listener.port)] : []),
    ];
    for (const url of urls) expect((await fetch(url)).status, url).toBe(200);
  });

  it("answers nowhere after it is closed, and cuts running requests on either address", async () => {
    const listener = await serve((_req, res) => void res.write("begun"), { host, port: 0 });
    const urls = [listener.url, at(host, listener.port)];
    const begun = await Promise.all(urls.map((url) => fetch(url)));
    await listener.close(0);
    for (const reply of begun) await expect(reply.text()).rejects.toThrow();
    for (const url of urls) await expect(fetch(url)).rejects.toThrow();
  });
});

it.each(hosts.filter(takesVersion4))(
  "on %s nothing listens at a port that another program has on loopback",
  async (host) => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    await expect(serving(host, (other.address() as AddressInfo).port)).rejects.toThrow(PortInUseError);
    other.close();
  },
);

it("a server tells other machines addresses that they can reach", async () => {
  for (const host of ["127.0.0.1", "localhost", "::1", "127.0.0.9"]) expect(networkUrls(host, 3080)).toEqual([]);
  expect(networkUrls("0.0.0.0", 3080)).toEqual(inNetwork.map((address) => at(address, 3080)));
  expect(networkUrls("::", 3080)).toEqual(inNetwork.map((address) => at(address, 3080)));
  expect(networkUrls("192.0.2.7", 3080)).toEqual(["http://192.0.2.7:3080"]);
  expect(networkUrls("2001:db8::7", 3080)).toEqual(["http://[2001:db8::7]:3080"]);
});
