import { networkInterfaces } from "node:os";
import { describe, expect, it } from "vitest";
import { reachOf } from "../../../server/http/outgoing/address-reach.ts";
import type { Asker } from "../../../server/http/outgoing/asker.ts";
import { createTargets, TargetRefused } from "../../../server/http/outgoing/targets.ts";

const own = Object.values(networkInterfaces()).flatMap((one) => (one ?? []).map(({ address }) => address));

describe("an address reaches", () => {
  it.each([
    ["local", "127.0.0.1"],
    ["local", "127.8.9.10"],
    ["local", "0.0.0.0"],
    ["local", "0.1.2.3"],
    ["local", "169.254.169.254"],
    ["local", "::"],
    ["local", "::1"],
    ["local", "0:0:0:0:0:0:0:1"],
    ["local", "fe80::1"],
    ["local", "fe80::1%eth0"],
    ["local", "febf::1"],
    ["local", "::ffff:127.0.0.1"],
    ["local", "::ffff:7f00:1"],
    ["local", "::127.0.0.1"],
    ["local", "64:ff9b::7f00:1"],
    ["local", "64:ff9b::169.254.169.254"],
    ["local", "2002:7f00:1::"],
    ["local", "::ffff:0:127.0.0.1"],
    ...own.map((address) => ["local", address] as const),
    ["private", "10.0.0.1"],
    ["private", "172.16.0.1"],
    ["private", "172.31.255.255"],
    ["private", "192.168.1.1"],
    ["private", "100.64.0.1"],
    ["private", "100.100.100.200"],
    ["private", "198.18.0.1"],
    ["private", "224.0.0.1"],
    ["private", "255.255.255.255"],
    ["private", "fd12::1"],
    ["private", "fd00:ec2::254"],
    ["private", "fec0::1"],
    ["private", "ff02::1"],
    ["private", "::ffff:10.0.0.1"],
    ["private", "64:ff9b::10.0.0.1"],
    ["private", "64:ff9b:1::1"],
    ["private", "2002:a00:1::"],
    ["private", "2001:0:1::1"],
    ["public", "8.8.8.8"],
    ["public", "172.32.0.1"],
    ["public", "100.128.0.1"],
    ["public", "2606:4700::1111"],
    ["public", "::ffff:8.8.8.8"],
    ["public", "64:ff9b::8.8.8.8"],
  ] as const)("%s: %s", (reach, address) => expect(reachOf(address)).toBe(reach));
});

/** What names mean here; no resolver is asked. */
const names: Readonly<Record<string, readonly string[]>> = {
  "shop.example": ["203.0.113.80"],
  "mixed.example": ["8.8.8.8", "127.0.0.1", "10.0.0.9"],
  "rebound.example": ["127.0.0.1"],
  "intern.example": ["10.0.0.9"],
  "sub.intern.example": ["10.0.0.10"],
  localhost: ["127.0.0.1", "::1"],
};
const lookup = async (host: string) => {
  const found = names[host];
  if (!found) throw Object.assign(new Error(`${host} is not known`), { code: "ENOTFOUND" });
  return found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
};
const phone: Asker = { address: "10.0.0.9" };
const unknown: Asker = { address: undefined };
const addresses = async (url: string, asker: Asker, allowed: readonly string[] = []) =>
  (await createTargets(allowed, lookup).addressesOf(new URL(url), asker)).map(({ address }) => address);

describe("a target of somebody on another machine", () => {
  it.each([
    "http://127.0.0.1:3081/x",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f.0.0.1/",
    "http://0177.0.0.1/",
    "http://0/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://localhost/",
    "https://rebound.example/",
    "http://10.0.0.8/",
    "http://192.168.0.1/",
    "http://sub.intern.example/",
    ...own.map((address) => `http://${address.includes(":") ? `[${address}]` : address}/`),
  ])("%s is refused, and the setting that would allow it is named", async (url) => {
    for (const asker of [phone, unknown]) {
      const refused = addresses(url, asker);
      await expect(refused).rejects.toThrow(TargetRefused);
      await expect(refused).rejects.toThrow(/allowed_targets/);
    }
  });

  it("is allowed when it is the asker's own or public, and of several only the allowed ones are used", async () => {
    expect(await addresses("http://10.0.0.9:8080/notify", phone)).toEqual(["10.0.0.9"]);
    expect(await addresses("http://intern.example/", phone)).toEqual(["10.0.0.9"]);
    await expect(addresses("http://intern.example/", unknown)).rejects.toThrow(TargetRefused);
    expect(await addresses("https://8.8.8.8/", unknown)).toEqual(["8.8.8.8"]);
    expect(await addresses("http://mixed.example/", phone)).toEqual(["8.8.8.8", "10.0.0.9"]);
    expect(await addresses("http://mixed.example/", unknown)).toEqual(["8.8.8.8"]);
    expect(await addresses("http://nobody.example/", unknown)).toEqual([]);
  });

  it("is what the setting names: an address, a network, a name, or all below one", async () => {
    expect(await addresses("http://10.0.0.8/", unknown, ["10.0.0.8"])).toEqual(["10.0.0.8"]);
    expect(await addresses("http://10.0.0.8/", unknown, ["10.0.0.0/8"])).toEqual(["10.0.0.8"]);
    expect(await addresses("http://[fd12::8]/", unknown, ["fd12::/16"])).toEqual(["fd12::8"]);
    expect(await addresses("http://[fd12::8]/", unknown, ["FD12:0::8"])).toEqual(["fd12::8"]);
    expect(await addresses("http://intern.example/", unknown, ["Intern.example"])).toEqual(["10.0.0.9"]);
    expect(await addresses("http://sub.intern.example/", unknown, [".intern.example"])).toEqual(["10.0.0.10"]);
    await expect(addresses("http://sub.intern.example/", unknown, ["intern.example"])).rejects.toThrow(TargetRefused);
    await expect(addresses("http://10.0.0.8/", unknown, ["192.168.0.0/16"])).rejects.toThrow(TargetRefused);
  });

  it("is an address of this machine only where the setting names that very one", async () => {
    for (const entry of ["0.0.0.0/0", "127.0.0.0/8", "::/0"])
      await expect(addresses("http://127.0.0.1/", unknown, [entry]), entry).rejects.toThrow(TargetRefused);
    expect(await addresses("http://127.0.0.1/", unknown, ["127.0.0.1"])).toEqual(["127.0.0.1"]);
    expect(await addresses("http://localhost/", unknown, ["localhost"])).toEqual(["127.0.0.1", "::1"]);
    await expect(addresses("http://127.0.0.2/", unknown, ["127.0.0.1"])).rejects.toThrow(TargetRefused);
  });
});

it("A program on this machine may make Hearth call any address", async () => {
  for (const url of ["http://127.0.0.1/", "http://169.254.169.254/", "http://10.0.0.8/", "http://rebound.example/"])
    expect(await addresses(url, "here")).not.toEqual([]);
});
