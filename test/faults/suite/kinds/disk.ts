/** A disk that is full while something is written to it. */
import { closeSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { layers, manyBytes } from "../../../support/model/model-registry.ts";
import { randomGgufBytes } from "../../../support/model/random-gguf.ts";
import type { Draw } from "../draw.ts";
import type { Fault } from "../fault.ts";
import { uploadOne } from "../traffic.ts";
import { until } from "../until.ts";
import type { World } from "../world.ts";

const freeBytes = (disk: string) => statfsSync(disk).bavail * statfsSync(disk).bsize;

/** Leaves so many bytes of the disk. */
function fill(disk: string, leave: number): void {
  const chunk = Buffer.alloc(64 * 1024);
  const descriptor = openSync(join(disk, "ballast"), "a");
  try {
    for (let left = freeBytes(disk) - leave; left > 0; left -= chunk.length)
      writeSync(descriptor, chunk, 0, Math.min(chunk.length, left));
  } catch (error) {
    // The traffic was quicker.
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  } finally {
    closeSync(descriptor);
  }
}

async function whileFull(world: World, draw: Draw, act: () => Promise<unknown>): Promise<void> {
  // Some of what is being written goes in still, and some of it only in part.
  fill(world.disk, draw.one([0, 0, draw.between(1, 400) * 1024]));
  try {
    await act();
    await wait(draw.between(0, 500));
  } finally {
    rmSync(join(world.disk, "ballast"));
  }
}

let pulls = 0;
const weights = randomGgufBytes();

export const diskFaults: readonly Fault[] = [
  {
    name: "disk full: database writes, orders",
    needs: "a disk of its own",
    happen: (world, draw) =>
      whileFull(world, draw, () =>
        until("a write that is refused", async () => {
          const { status } = await world.client("POST", "/articles", { title: "no room", body: "x".repeat(90_000) });
          return status === 503 || undefined;
        }),
      ),
  },
  {
    name: "disk full: in the middle of an upload",
    needs: "a disk of its own",
    happen: (world, draw, ledger) =>
      whileFull(world, draw, async () => {
        const name = (n: number) => `${ledger.mark}-large-${String(n)}.zip`;
        const sent = [1, 2, 3].map((n) => uploadOne(world, ledger, draw, name(n), 2_000).catch(() => undefined));
        await Promise.all(sent);
      }),
  },
  {
    name: "disk full: in the middle of a pull",
    needs: "a disk of its own",
    async happen(world, draw) {
      const published = world.registry.publish(`m${String(pulls++)}`, [
        layers.model(Buffer.concat([weights, manyBytes(4_000_000, pulls)])),
      ]);
      const pull = () => world.model("POST", "/pull", { model: published.name, insecure: true, stream: false });
      const has = async () => JSON.stringify((await world.model("GET", "/tags")).body).includes(published.name);
      await whileFull(world, draw, async () => {
        const { status } = await pull().catch(() => ({ status: 0 }));
        if (status !== 200 && (await has())) throw new Error(`${published.name} is there, though its pull failed`);
      });
      await until(`the pull of ${published.name}`, async () => (await pull()).status === 200 || undefined);
      if (!(await has())) throw new Error(`${published.name} is not there, though its pull succeeded`);
      await world.model("DELETE", "/delete", { model: published.name });
    },
  },
];
