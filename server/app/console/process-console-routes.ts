/** The console's operations on the processes: their output and their memory. */
import { readFile } from "node:fs/promises";
import { getServiceLog, getServicesMemory } from "../../contract/console/console-endpoints.ts";
import type { ServiceName, ServiceStatus } from "../../contract/process/services.ts";
import { route, type Route } from "../../http/route.ts";

export interface ProcessDeps {
  readonly services: () => readonly ServiceStatus[];
  /** The last lines of a service's output, oldest first. */
  readonly lines: (service: ServiceName) => Promise<readonly string[]>;
}

export function processConsoleRoutes({ services, lines }: ProcessDeps): Route[] {
  return [
    route(getServiceLog, async ({ params: { name } }) => ({ data: { lines: [...(await lines(name))] } })),
    route(getServicesMemory, async () => {
      const measured = services().map(async ({ name, pid }) => ({ name, bytes: await residentBytes(pid) }));
      const known = (await Promise.all(measured)).flatMap(({ name, bytes }) =>
        bytes === undefined ? [] : [{ name, bytes }],
      );
      return { data: { services: known } };
    }),
  ];
}

/** Resident memory: of any process where the system provides it in a file (Linux), of this one everywhere. */
async function residentBytes(pid: number | undefined): Promise<number | undefined> {
  if (pid === undefined) return undefined;
  if (pid === process.pid) return process.memoryUsage.rss();
  const status = await readFile(`/proc/${String(pid)}/status`, "utf8").catch(() => "");
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}
