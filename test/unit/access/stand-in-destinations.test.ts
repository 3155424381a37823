import { expect, it } from "vitest";
import { createDestinations } from "../../../server/stand-in/destinations.ts";

const destinationOf = createDestinations(["shop.example", ".corp.example", "api.weixin.qq.com"]);

it.each([
  "openapi.alipay.com",
  "api.mch.weixin.qq.com",
  "API2.mch.weixin.qq.com",
  "api.weixin.qq.com",
  "api.mch.weixin.qq.com.",
])("a stand-in answers for %s, whatever is let through", (host) => expect(destinationOf(host)).toBe("simulator"));

it.each([
  ...["localhost", "db", "printer.local", "127.0.0.1", "10.1.2.3", "172.31.255.1", "192.168.0.1", "[::1]", "[fd00::1]"],
  ...["2130706433", "0x7f.1"],
  ...["shop.example", "SHOP.example.", "corp.example", "a.b.corp.example"],
])("a stand-in lets requests through to %s", (host) => expect(destinationOf(host)).toBe("itself"));

it.each([
  ...["example.com", "weixin.qq.com", "mp.weixin.qq.com", "a.shop.example", "notcorp.example"],
  ...["8.8.8.8", "172.32.0.1", "[2606:4700::1111]", "local.example.com"],
  ...["134744072", "0x08080808", "010.0x8.2056", "a b", "a/.example.com", "a?.example.com"],
])("a stand-in refuses %s", (host) => expect(destinationOf(host)).toBe("nowhere"));
