/** Exchanges of another service, brought to the process that keeps them. */
import { z } from "zod";
import { dictionary, list } from "../../bounded-lists.ts";
import { hexText } from "../../trace-ids.ts";
import { requestServiceSchema } from "./requests.ts";

const byteCount = z.number().int().min(0);
const deliveredBody = z.strictObject({
  size: byteCount.describe("Size on the wire, in bytes."),
  base64: z.string().describe("Beginning of the body, as far as stored."),
});

const spanSchema = z.strictObject({
  traceId: hexText(32),
  spanId: hexText(16),
  parentId: hexText(16).optional(),
  flags: hexText(2),
  state: z.string().optional(),
});

/** An exchange from another process, with its secrets; it never leaves the machine. */
const exchangeDeliverySchema = z.strictObject({
  time: byteCount.describe("Time of arrival: Unix time in ms, real time."),
  ms: z.number().min(0),
  method: z.string().max(32),
  target: z.string().describe("Path and query as sent."),
  request_headers: list(z.string()).describe("Names and values, alternating."),
  request_body: deliveredBody,
  client: z.string().max(64),
  request_id: z.string().max(64),
  span: spanSchema,
  status: z.number().int().min(100).max(999).optional(),
  response_headers: dictionary(z.string(), z.union([z.string(), z.number(), list(z.string())])),
  response_body: deliveredBody,
  response_chunks: list(z.number().min(0)).optional().describe("Bytes and ms of each write, alternating."),
  complete: z.boolean(),
});
export type ExchangeDelivery = z.infer<typeof exchangeDeliverySchema>;

/** POST /console/api/requests/deliveries */
export const requestDeliverySchema = z.strictObject({
  service: requestServiceSchema,
  exchanges: list(exchangeDeliverySchema)
    .max(1000)
    .meta({
      examples: [
        [
          {
            time: 1_795_000_000_000,
            ms: 1.5,
            method: "GET",
            target: "/api/version",
            request_headers: ["Host", "127.0.0.1:11434"],
            request_body: { size: 0, base64: "" },
            client: "127.0.0.1",
            request_id: "5f1c9a2e-1",
            span: { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7", flags: "01" },
            status: 200,
            response_headers: { "content-type": "application/json" },
            response_body: { size: 20, base64: "eyJ2ZXJzaW9uIjoiMC4zMy4wIn0=" },
            complete: true,
          },
        ],
      ],
    }),
  dropped: byteCount.default(0).describe("Number of earlier calls that were lost because they came too fast."),
});
export type RequestDelivery = z.output<typeof requestDeliverySchema>;
