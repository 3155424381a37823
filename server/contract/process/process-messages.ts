/** What the supervisor and a service process say to each other over the fork's message channel. */
import { z } from "zod";
import { serviceNameSchema, serviceStatusSchema } from "./services.ts";

/**
 * From a service. `ready` carries the base URLs at which it answers (the runner: none), by the key of the ready file.
 * `external`: the port is held by a genuine Ollama, which is used instead. `failed`: it cannot start, and a restart will
 * not help; `message` is one line for a person that names the setting to change, `port` what another program has. `lines` asks for what a service printed.
 * `pong` answers a ping: the event loop turns; `problem` says what else is wrong.
 */
export const fromServiceSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready"), urls: z.record(z.string(), z.string()), external: z.boolean().optional() }),
  z.object({ type: z.literal("failed"), code: z.string(), message: z.string(), port: z.number().int().optional() }),
  z.object({
    type: z.literal("restart"),
    service: serviceNameSchema,
    port: z.number().int().min(0).max(65_535).optional(),
  }),
  z.object({ type: z.literal("lines"), service: serviceNameSchema }),
  z.object({ type: z.literal("pong"), problem: z.string().optional() }),
]);
export type FromService = z.infer<typeof fromServiceSchema>;

/**
 * To a service. `stop`: finish what is in flight and exit. `services`: the state of all, sent to app and model at each change.
 * `lines`: the answer. `ping`: asks whether it works.
 */
export const toServiceSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("stop") }),
  z.object({ type: z.literal("services"), services: z.array(serviceStatusSchema) }),
  z.object({ type: z.literal("lines"), service: serviceNameSchema, lines: z.array(z.string()) }),
  z.object({ type: z.literal("ping") }),
]);
export type ToService = z.infer<typeof toServiceSchema>;
