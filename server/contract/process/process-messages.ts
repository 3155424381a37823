/** The messages between the supervisor and a service process over the fork's channel. */
import { z } from "zod";
import { serviceNameSchema, serviceStatusSchema } from "./services.ts";
import { settingsSchema } from "./settings.ts";

/**
 * To a service, before all others: what it starts with. `origins`: where each setting comes from. `variables`: those of the
 * user's environment that this service needs and that may be secrets.
 */
export const startMessageSchema = z.object({
  type: z.literal("start"),
  settings: settingsSchema,
  origins: z.record(z.string(), z.unknown()),
  variables: z.record(z.string(), z.string()),
  token: z.string().optional(),
  appUrl: z.string().optional(),
  runnerSocket: z.string().optional(),
});
export type StartMessage = z.infer<typeof startMessageSchema>;

/** To a process that works for a command alone, before all others: what is to be done, and variables as above. */
export interface TaskMessage {
  readonly type: "task";
  readonly task: unknown;
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * From a service. `ready` contains its base URLs (the runner has none), by the key of the ready file. `external`: the
 * port belongs to a genuine Ollama, which is used instead. `failed`: it cannot start, and a restart will not help;
 * `message` is one line for a person that names the setting to change, `port` the port that another program uses.
 * `restart` may bring settings, with where each comes from: processes have them that start later. `lines` requests a
 * service's output, `trial` a trial load of a model's header. `pong` answers a ping: the event loop works; `problem` describes any other
 * problem.
 */
export const fromServiceSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready"), urls: z.record(z.string(), z.string()), external: z.boolean().optional() }),
  z.object({ type: z.literal("failed"), code: z.string(), message: z.string(), port: z.number().int().optional() }),
  z.object({
    type: z.literal("restart"),
    service: serviceNameSchema,
    port: z.number().int().min(0).max(65_535).optional(),
    settings: z
      .object({ values: z.record(z.string(), z.unknown()), origins: z.record(z.string(), z.unknown()) })
      .optional(),
  }),
  z.object({ type: z.literal("lines"), service: serviceNameSchema }),
  z.object({ type: z.literal("trial"), file: z.string() }),
  z.object({ type: z.literal("pong"), problem: z.string().optional() }),
]);
export type FromService = z.infer<typeof fromServiceSchema>;

/**
 * To a service. `drain`: it will be stopped soon, and is not ready from now on. `stop`: finish running work and exit. `services`: the state of all, sent to app and model at each
 * change. `lines`, `trial`: the answers; `reason` says why the engine would not load the model. `ping`: requests a `pong`.
 */
export const toServiceSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("drain") }),
  z.object({ type: z.literal("stop") }),
  z.object({ type: z.literal("services"), services: z.array(serviceStatusSchema) }),
  z.object({ type: z.literal("lines"), service: serviceNameSchema, lines: z.array(z.string()) }),
  z.object({ type: z.literal("trial"), file: z.string(), reason: z.string().optional() }),
  z.object({ type: z.literal("ping") }),
]);
export type ToService = z.infer<typeof toServiceSchema>;
