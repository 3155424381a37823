/** The settings for a Hearth that more than its own machine uses: behind proxies, watched from outside, ended with care. */
import { z } from "zod";
import { flag, listSetting, number } from "./setting-values.ts";

export const deploymentSettings = {
  trusted_proxies: listSetting
    .pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], "an address or CIDR is needed")))
    .default([])
    .describe(
      "Addresses and networks (CIDR) of proxies that are believed about who asks, by which scheme and at which host: X-Forwarded-For, -Proto and -Host, or Forwarded. What they pass on is never a request of this machine.",
    ),
  require_keys: z
    .enum(["auto", "elsewhere", "always"])
    .default("auto")
    .describe(
      "Who sends the model service a key: other machines as soon as there is a key (auto), other machines (elsewhere), or everybody (always).",
    ),
  metrics: flag
    .default(false)
    .describe(
      "Answer GET /metrics at every service, in Prometheus' format: to this machine, elsewhere to the console's token and to keys.",
    ),
  shutdown_delay_seconds: number
    .pipe(z.number().min(0).max(600))
    .default(0)
    .describe(
      "How long a service that ends says 503 at /readyz before it takes no more requests, in seconds: as long as a load balancer needs to see it.",
    ),
  drain_seconds: number
    .pipe(z.number().min(0).max(3_600))
    .optional()
    .describe(
      "How long open requests may go on after that, in seconds. Default: 2, and 0 for answers of models; streams of events end at once.",
    ),
};
