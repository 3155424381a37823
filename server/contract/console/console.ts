/** The console's own API under /console/api, for the page and for tests. Access: the run's console token or its cookie. */
import { z } from "zod";
import { lanDeviceSchema } from "./machine/lan-access-endpoints.ts";
import { consolePerson } from "../provider/internal-people.ts";
import { damageSchema } from "../process/damage.ts";
import { serviceNameSchema, serviceStatusSchema } from "../process/services.ts";

/** How to type the commands of the running Hearth in a terminal of its machine. */
export const ownCommandSchema = z.object({
  name: z
    .string()
    .describe("Command that works in any folder: `hearth`, or the full path of this program.")
    .meta({ examples: ["hearth"] }),
  flags: z.string().describe("Flags for a command that name the data directory. Empty for the default one."),
});
export type OwnCommand = z.infer<typeof ownCommandSchema>;
export const commandLine = ({ name, flags }: OwnCommand, args: string): string =>
  [name, args, flags].filter((one) => one !== "").join(" ");

/** GET /console/api/overview */
export const overviewSchema = z.object({
  version: z.string(),
  services: z.array(serviceStatusSchema),
  data_dir: z.string(),
  command: ownCommandSchema,
  /** Base URLs for clients. `model` is absent while the model service is down. */
  addresses: z.object({ app: z.string(), console: z.string(), provider: z.string(), model: z.string().optional() }),
  /** Base URLs of the application server for other devices; none while it listens on loopback only. */
  lan_addresses: z.array(z.string()),
  waiting_devices: z.array(lanDeviceSchema).describe("Devices of the local network that wait for admission."),
  damage: z.array(damageSchema).describe("Damage found in this run, oldest first."),
});
export type Overview = z.infer<typeof overviewSchema>;

/** GET /console/api/services/{name}/log: the last lines of the process's output, oldest first. */
export const serviceLogSchema = z.object({ lines: z.array(z.string()) });

/** GET /console/api/services/memory: the known resident memory of each process. */
export const servicesMemorySchema = z.object({
  services: z.array(z.object({ name: serviceNameSchema, bytes: z.number().int() })),
});

/** POST /console/api/services/{name}/restarts; `port` moves the service to another port for this run (0 = any free one). */
export const restartRequestSchema = z.object({ port: z.number().int().min(0).max(65_535).optional() });

/**
 * Header of requests that Hearth passes on to a service of its own, from a device of the local network or as a stand-in:
 * the run's console token, the address of the one that asks, the scheme by which it asks and, if it has shown one, its
 * certificate (DER, base64), with spaces between.
 */
export const passedOnHeader = "x-hearth-passed-on";

/** GET /console/api/bans: the addresses that the API refuses. */
export const banPageSchema = z.object({ bans: z.array(z.string()) });

/** POST /console/api/tokens {user}: logs a simulated user in completely and answers its session token. */
export const tokenRequestSchema = z.object({
  user: z
    .string()
    .regex(/^[\w.-]{1,64}$/)
    .default(consolePerson),
});
export const tokenSchema = z.object({ access_token: z.string(), expires_in: z.number().int() });
