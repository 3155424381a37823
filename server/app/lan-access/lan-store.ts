/** Stores the switch and the admitted devices. */
import type { Kysely } from "kysely";
import type { LanService } from "../../contract/console/machine/lan-access-endpoints.ts";
import type { Device } from "./device-book.ts";
import type { LanTables } from "./lan-tables.ts";

export interface LanSwitch {
  readonly enabled: boolean;
  readonly interfaceName: string | undefined;
  readonly services: readonly LanService[];
  /** The network on which everybody is admitted. */
  readonly everyoneOn: string | undefined;
}

const initialSwitch: LanSwitch = { enabled: false, interfaceName: undefined, services: ["app"], everyoneOn: undefined };
/** The time when a device was seen is stored to the minute. */
const exactness = 60_000;

const kept = ({ address, network, cookieHash, seenAt }: Device) =>
  [address, network, cookieHash, Math.floor(seenAt / exactness)].join(" ");

export async function openLanStore(db: Kysely<LanTables>) {
  const row = await db.selectFrom("lan_access").selectAll().executeTakeFirst();
  const rows = await db.selectFrom("lan_devices").selectAll().execute();
  const devices = rows.map(
    ({ cookie_hash: cookieHash, admitted_at: admittedAt, seen_at: seenAt, ...device }): Device => ({
      ...device,
      cookieHash,
      admittedAt,
      seenAt,
    }),
  );
  /** The stored form of each device. A failed write is repeated with the next change. */
  const written = new Map(devices.map((device) => [device.id, kept(device)]));
  let writing = Promise.resolve();

  return {
    devices,
    switch: row
      ? ({
          enabled: row.enabled === 1,
          interfaceName: row.interface ?? undefined,
          services: row.services.split(",") as LanService[],
          everyoneOn: row.everyone_on ?? undefined,
        } satisfies LanSwitch)
      : initialSwitch,

    async saveSwitch({ enabled, interfaceName, services, everyoneOn }: LanSwitch): Promise<void> {
      const values = {
        enabled: enabled ? 1 : 0,
        interface: interfaceName ?? null,
        services: services.join(","),
        everyone_on: everyoneOn ?? null,
      };
      await db
        .insertInto("lan_access")
        .values({ id: 1, ...values })
        .onConflict((conflict) => conflict.column("id").doUpdateSet(values))
        .execute();
    },

    /** Stores the changes since the last call. */
    async saveDevices(all: readonly Device[]): Promise<void> {
      const work = writing.then(async () => {
        const ids = new Set(all.map(({ id }) => id));
        const gone = [...written.keys()].filter((id) => !ids.has(id));
        if (gone.length > 0) await db.deleteFrom("lan_devices").where("id", "in", gone).execute();
        for (const id of gone) written.delete(id);
        const changed = all.filter((device) => written.get(device.id) !== kept(device));
        if (changed.length === 0) return;
        const now = new Map(changed.map((device) => [device.id, kept(device)]));
        const values = changed.map(({ cookieHash, admittedAt, seenAt, id, name, address, network }) => ({
          ...{ id, name, address, network },
          ...{ cookie_hash: cookieHash, admitted_at: admittedAt, seen_at: seenAt },
        }));
        await db
          .insertInto("lan_devices")
          .values(values)
          .onConflict((conflict) =>
            conflict.column("id").doUpdateSet((eb) => ({
              name: eb.ref("excluded.name"),
              address: eb.ref("excluded.address"),
              network: eb.ref("excluded.network"),
              cookie_hash: eb.ref("excluded.cookie_hash"),
              admitted_at: eb.ref("excluded.admitted_at"),
              seen_at: eb.ref("excluded.seen_at"),
            })),
          )
          .execute();
        for (const [id, text] of now) written.set(id, text);
      });
      writing = work.catch(() => undefined);
      await work;
    },

    /** Settles when no write is running. */
    idle: () => writing,
  };
}

export type LanStore = Awaited<ReturnType<typeof openLanStore>>;
