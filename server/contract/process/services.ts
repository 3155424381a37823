/** The processes of a run, for the supervisor and the console. */
import { z } from "zod";

export const serviceNameSchema = z.enum(["app", "model", "runner"]);
export type ServiceName = z.infer<typeof serviceNameSchema>;

/**
 * starting: forked, not ready yet. up: answers its health check. restarting: it ended and is restarted after a pause.
 * down: it cannot run; `reason` says why and what to change. external: a genuine Ollama uses the port, and is used
 * instead until it ends.
 */
export const serviceStateSchema = z.enum(["starting", "up", "restarting", "down", "external", "stopped"]);
export type ServiceState = z.infer<typeof serviceStateSchema>;

export const serviceStatusSchema = z.object({
  name: serviceNameSchema,
  state: serviceStateSchema,
  /** Base URLs by name: `app`, `console` and `provider` for the app process, `model` for the model service, none for the runner. */
  urls: z.record(z.string(), z.string()),
  pid: z.number().int().optional(),
  restarts: z.number().int(),
  /** ISO 8601 time of the last change of `state`. */
  since: z.string(),
  reason: z.string().optional(),
});
export type ServiceStatus = z.infer<typeof serviceStatusSchema>;
