/** A machine that is not well: its clock, its descriptors. */
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { Fault } from "../fault.ts";

export const machineFaults: readonly Fault[] = [
  {
    name: "clock jumps",
    needs: "libfaketime",
    async happen(world, draw) {
      world.setClock(`${draw.one(["+", "-"])}${draw.one(["90s", "15m", "5h", "40d"])}`);
      // The clock is read anew each second.
      await wait(draw.between(1_200, 2_500));
      world.setClock("+0");
      await wait(1_200);
    },
  },
  {
    name: "few descriptors: app",
    needs: "prlimit",
    async happen({ hearth }, draw) {
      const pid = String(await hearth.pidOf("app"));
      const limit = (soft: string) => execFileSync("prlimit", ["--pid", pid, `--nofile=${soft}:`]);
      const before = execFileSync("prlimit", ["--pid", pid, "--nofile", "--noheadings", "--output=SOFT"], {
        encoding: "utf8",
      }).trim();
      limit(String(readdirSync(`/proc/${pid}/fd`).length + draw.between(0, 4)));
      await wait(draw.between(300, 1_500));
      limit(before);
    },
  },
];
