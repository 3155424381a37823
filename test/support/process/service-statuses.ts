/** What the console tells of a run's services. It learns of their last changes a moment after the addresses are told. */
import { serviceNameSchema, type ServiceName, type ServiceStatus } from "../../../server/contract/process/services.ts";
import type { ReadyFileContent } from "../../../server/supervisor/ready-file.ts";
import { eventually } from "../eventually.ts";
import { asConsole } from "./console-access.ts";

type Addresses = Pick<ReadyFileContent, "app" | "console">;

/** @throws Error while a service is starting */
async function readStatuses({ app, console }: Addresses): Promise<Record<ServiceName, ServiceStatus>> {
  const reply = await fetch(`${app}/console/api/overview`, { headers: asConsole(console) });
  const { services } = (await reply.json()) as { services: ServiceStatus[] };
  const early = services.find(({ state }) => state === "starting");
  if (services.length === 0 || early) throw new Error(`the service ${early?.name ?? "of any name"} is starting`);
  return Object.fromEntries(services.map((service) => [service.name, service])) as Record<ServiceName, ServiceStatus>;
}

/** The state of each service, once none is starting. */
export const serviceStatuses = (addresses: Addresses) => eventually(() => readStatuses(addresses));

/** The id of a service's process, once it has one. */
export const servicePid = (addresses: Addresses, name: ServiceName) =>
  eventually(async () => {
    const { pid, state } = (await readStatuses(addresses))[name];
    if (pid === undefined) throw new Error(`the service ${name} has no process: it is ${state}`);
    return pid;
  });

/** The ids of the processes of all services, once each has one. */
export const servicePids = (addresses: Addresses) =>
  Promise.all(serviceNameSchema.options.map((name) => servicePid(addresses, name)));
