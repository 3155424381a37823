import { expect, it } from "vitest";
import { createFlows } from "../../../server/app/requests/flows.ts";
import type { Exchange } from "../../../server/http/recording/request-recorder.ts";

const exchange = (text: string): Exchange => ({
  service: "provider",
  time: 0,
  ms: 1,
  method: "POST",
  target: "/pay/unifiedorder",
  requestHeaders: [],
  requestBody: { chunks: [text], kept: text.length, size: text.length },
  client: "127.0.0.1",
  status: 200,
  responseHeaders: {},
  responseBody: { chunks: [], kept: 0, size: 0 },
  complete: true,
  notes: {},
});

it.each([
  ['{"a":1,"out_trade_no" : "T-1"}', "order:T-1"],
  ["<xml><out_trade_no>T2</out_trade_no></xml>", "order:T2"],
  ["<xml><out_trade_no>\n<![CDATA[T|3*]]></out_trade_no></xml>", "order:T|3*"],
  ["a=1&out_trade_no=T4&b=2", "order:T4"],
  ['{"out_trade_no":"","b":"c"}', undefined],
  ["<xml><out_trade_no></out_trade_no></xml>", undefined],
  ["<xml><out_trade_no><![CDATA[]]></out_trade_no></xml>", undefined],
])("a request belongs to the order that its body names: %s", (text, flow) => {
  expect(createFlows().flowOf(exchange(text), 1)).toBe(flow);
});
