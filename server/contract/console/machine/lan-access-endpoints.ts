/** Phones and other devices on the local network: the switch that lets them reach Hearth, and who has been let in. */
import { z } from "zod";
import { list } from "../../bounded-lists.ts";
import { endpoint } from "../../endpoint.ts";

export const lanServiceSchema = z.enum(["app", "provider", "model"]);
export type LanService = z.infer<typeof lanServiceSchema>;

/** A device that called. It is known by its cookie where it keeps one, else by its address. */
export const lanDeviceSchema = z.object({
  id: z
    .string()
    .describe("Code that the waiting device also shows, to tell devices apart.")
    .meta({ examples: ["4k7q2m"] }),
  name: z
    .string()
    .describe("Name from the device.")
    .meta({ examples: ["iPhone, Safari"] }),
  address: z.string().meta({ examples: ["192.168.0.23"] }),
  seen_at: z.iso.datetime().describe("Time of the last request."),
});
export type LanDevice = z.infer<typeof lanDeviceSchema>;

const interfaceSchema = z.object({
  name: z.string().meta({ examples: ["wlan0"] }),
  address: z.string().meta({ examples: ["192.168.0.10"] }),
  network: z
    .string()
    .describe("Address with the prefix length of its network.")
    .meta({ examples: ["192.168.0.10/24"] }),
});
export type LanInterface = z.infer<typeof interfaceSchema>;

const services = list(lanServiceSchema).min(1);

export const lanAccessSchema = z
  .object({
    enabled: z.boolean(),
    opened_by_host: z
      .boolean()
      .describe("Whether the setting `host` opens Hearth to the whole network. If so, there is nothing to switch."),
    interface: z.string().optional().describe("Name of the chosen network interface."),
    services: services.describe("Services for the devices."),
    everyone: z
      .boolean()
      .describe("Allow every device on this network until this machine leaves it or the setting changes."),
    interfaces: z.array(interfaceSchema).describe("Current network interfaces of this machine, the most likely first."),
    listeners: z
      .array(
        z.object({
          service: lanServiceSchema,
          url: z.string().optional().describe("Base URL for the devices, while the service listens."),
          problem: z.string().optional().describe("Reason why the service does not listen."),
        }),
      )
      .describe("One entry per service. Empty while the access is off."),
    certificate_url: z
      .string()
      .optional()
      .describe("Where devices get the authority's certificate, if the URLs are HTTPS.")
      .meta({ examples: ["http://192.168.0.10:3080/hearth-authority.crt"] }),
    platform: z
      .string()
      .describe("Operating system, as Node.js names it.")
      .meta({ examples: ["linux"] }),
    devices: z.array(lanDeviceSchema).describe("Admitted devices."),
    waiting: z.array(lanDeviceSchema).describe("Devices that called in the last minutes and are not admitted."),
  })
  .meta({ title: "LanAccess" });
export type LanAccessView = z.infer<typeof lanAccessSchema>;

const changeSchema = z
  .object({
    enabled: z.boolean(),
    interface: z.string().max(64).describe("Network interface. Default: the most likely one."),
    services,
    everyone: z.boolean(),
  })
  .partial()
  .meta({ title: "LanAccessChange", examples: [{ everyone: false }] });
export type LanAccessChange = z.infer<typeof changeSchema>;

const base = { tag: "lan-access", access: "console" } as const;
const deviceParams = z.object({ id: z.string().max(32) });

/**
 * Returns the state of access from the local network. This includes its addresses and the admitted and waiting devices.
 */
export const getLanAccess = endpoint({
  ...base,
  id: "getLanAccess",
  method: "GET",
  path: "/console/api/lan-access",
  status: 200,
  data: lanAccessSchema,
});

/**
 * Switches the access from the local network on or off, or changes it. The change takes effect before the answer.
 * Omitted members stay unchanged. If this machine lacks the interface, the answer is 400. While the setting `host`
 * opens Hearth to everybody, it is 409.
 */
export const changeLanAccess = endpoint({
  ...base,
  id: "changeLanAccess",
  method: "PATCH",
  path: "/console/api/lan-access",
  status: 200,
  body: changeSchema,
  data: lanAccessSchema,
  errors: [409],
});

/** Admits a waiting device. */
export const admitLanDevice = endpoint({
  ...base,
  id: "admitLanDevice",
  method: "PUT",
  path: "/console/api/lan-access/devices/{id}",
  status: 204,
  params: deviceParams,
  errors: [404],
});

/** Removes a device and ends its requests at once. The device may request access again. */
export const removeLanDevice = endpoint({
  ...base,
  id: "removeLanDevice",
  method: "DELETE",
  path: "/console/api/lan-access/devices/{id}",
  status: 204,
  params: deviceParams,
  errors: [404],
});
