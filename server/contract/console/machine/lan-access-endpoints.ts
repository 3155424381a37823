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
    .describe("Also shown to the device that waits, so that a person sees which is which.")
    .meta({ examples: ["4k7q2m"] }),
  name: z
    .string()
    .describe("Name that the device reports.")
    .meta({ examples: ["iPhone, Safari"] }),
  address: z.string().meta({ examples: ["192.168.0.23"] }),
  seen_at: z.iso.datetime().describe("When it called last."),
});
export type LanDevice = z.infer<typeof lanDeviceSchema>;

const interfaceSchema = z.object({
  name: z.string().meta({ examples: ["wlan0"] }),
  address: z.string().meta({ examples: ["192.168.0.10"] }),
  network: z
    .string()
    .describe("The address with the length of its network's prefix.")
    .meta({ examples: ["192.168.0.10/24"] }),
});
export type LanInterface = z.infer<typeof interfaceSchema>;

const services = list(lanServiceSchema).min(1);

export const lanAccessSchema = z
  .object({
    enabled: z.boolean(),
    opened_by_host: z
      .boolean()
      .describe("The setting `host` has opened Hearth to the network for everybody: then there is nothing to switch."),
    interface: z.string().optional().describe("The name of the network interface that is chosen."),
    services: services.describe("Which services are offered."),
    everyone: z
      .boolean()
      .describe("Allow every device on this network until this machine leaves it or the setting changes."),
    interfaces: z.array(interfaceSchema).describe("Current network interfaces of this machine, the most likely first."),
    listeners: z
      .array(
        z.object({
          service: lanServiceSchema,
          url: z.string().optional().describe("The base URL for the devices, while it listens."),
          problem: z.string().optional().describe("Why it does not."),
        }),
      )
      .describe("One for each service that is offered; none while it is off."),
    certificate_url: z
      .string()
      .optional()
      .describe(
        "Where devices get the certificate of the authority that vouches for those URLs, if they are HTTPS ones.",
      )
      .meta({ examples: ["http://192.168.0.10:3080/hearth-authority.crt"] }),
    platform: z
      .string()
      .describe("The operating system, as Node names it.")
      .meta({ examples: ["linux"] }),
    devices: z.array(lanDeviceSchema).describe("Those that are let in."),
    waiting: z.array(lanDeviceSchema).describe("Those that called within the last minutes and are not."),
  })
  .meta({ title: "LanAccess" });
export type LanAccessView = z.infer<typeof lanAccessSchema>;

const changeSchema = z
  .object({
    enabled: z.boolean(),
    interface: z.string().max(64).describe("The likeliest one unless given."),
    services,
    everyone: z.boolean(),
  })
  .partial()
  .meta({ title: "LanAccessChange", examples: [{ everyone: false }] });
export type LanAccessChange = z.infer<typeof changeSchema>;

const base = { tag: "lan-access", access: "console" } as const;
const deviceParams = z.object({ id: z.string().max(32) });

/** Answers whether devices on the local network reach Hearth and at which addresses, who has been let in and who waits. */
export const getLanAccess = endpoint({
  ...base,
  id: "getLanAccess",
  method: "GET",
  path: "/console/api/lan-access",
  status: 200,
  data: lanAccessSchema,
});

/**
 * Switches the access on or off, or changes it; it takes effect before the answer. Members that are absent stay. 400 for an
 * interface that this machine does not have, 409 while the setting `host` opens Hearth to everybody.
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
