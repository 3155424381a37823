import { expect, it } from "vitest";
import { lanAddresses } from "../../server/process/lan-addresses.ts";

it("Other machines reach no server that listens on loopback, and one on all interfaces at its own port", () => {
  expect(lanAddresses("127.0.0.1", "http://127.0.0.1:3080")).toEqual([]);
  expect(lanAddresses("0.0.0.0", "")).toEqual([]);
  for (const address of lanAddresses("0.0.0.0", "http://127.0.0.1:3080"))
    expect(address).toMatch(/^http:\/\/(?!127\.)\d+\.\d+\.\d+\.\d+:3080$/);
});
