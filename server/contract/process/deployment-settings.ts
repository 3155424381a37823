/** The settings for a Hearth that more than its own machine uses: behind proxies, watched from outside, ended with care. */
import { z } from "zod";
import { baseUrl, flag, listSetting, number } from "./setting-values.ts";

export const deploymentSettings = {
  trusted_proxies: listSetting
    .pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], "an address or CIDR is required")))
    .default([])
    .describe(
      "Addresses and networks (CIDR) of trusted proxies. Hearth takes client, scheme and host from their X-Forwarded-For, -Proto and -Host, or Forwarded. Their requests never count as local.",
    ),
  require_keys: z
    .enum(["auto", "elsewhere", "always"])
    .default("auto")
    .describe(
      "Callers that must send the model service a key. auto: other machines, once a key exists. elsewhere: other machines. always: all callers.",
    ),
  metrics: flag
    .default(false)
    .describe(
      "Serve GET /metrics at every service in Prometheus format. Other machines need the console's token or a key.",
    ),
  mcp: z
    .enum(["off", "read-only", "on"])
    .default("off")
    .describe(
      "Serve agents at /mcp of the console's port by the Model Context Protocol. read-only offers only the tools that change nothing. Every caller needs a key of scope control.",
    ),
  otlp_endpoint: baseUrl
    .optional()
    .describe(
      "Base URL of a collector that gets the trace of each request, by OTLP/HTTP at /v1/traces. Default: none is sent.",
    ),
  shutdown_delay_seconds: number
    .pipe(z.number().min(0).max(600))
    .default(0)
    .describe(
      "Delay between 503 at /readyz and the end of a service, in seconds. Set the time a load balancer needs to notice.",
    ),
  drain_seconds: number
    .pipe(z.number().min(0).max(3_600))
    .optional()
    .describe(
      "Time for open requests to finish at shutdown, in seconds. Event streams end at once. Default: 2, and 0 for answers of models.",
    ),
};
