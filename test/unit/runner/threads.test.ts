import { describe, expect, it } from "vitest";
import type { ReadSystemFile } from "../../../server/runner/cgroups.ts";
import { chooseThreads, parseCpuList, usableCores } from "../../../server/runner/threads.ts";

/** A machine as its proc, sys and cgroup files describe it. */
const machine =
  (files: Readonly<Record<string, string>>): ReadSystemFile =>
  (path) =>
    files[path];

const v2Mount = (point = "/sys/fs/cgroup", root = "/") =>
  `30 23 0:26 ${root} ${point} rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n`;
const v1Mount = (point = "/sys/fs/cgroup/cpu,cpuacct", root = "/") =>
  `33 32 0:29 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n35 32 0:31 ${root} ${point} rw,relatime - cgroup cgroup rw,cpu,cpuacct\n`;

describe("usable cores", () => {
  it("are those that the runtime reports where the system says nothing", () => {
    expect(usableCores(machine({}), 6)).toBe(6);
  });

  it("are at most the CPUs of the affinity", () => {
    expect(usableCores(machine({ "/proc/self/status": "Name:\tnode\nCpus_allowed_list:\t0-1,7\n" }), 16)).toBe(3);
  });

  it("count CPUs that share a core once", () => {
    const siblings = Object.fromEntries(
      [0, 1, 2, 3].map((cpu) => [
        `/sys/devices/system/cpu/cpu${String(cpu)}/topology/thread_siblings_list`,
        cpu % 2 === 0 ? "0,2\n" : "1,3\n",
      ]),
    );
    expect(usableCores(machine({ "/proc/self/status": "Cpus_allowed_list:\t0-3\n", ...siblings }), 4)).toBe(2);
  });

  it("are at most the quota of a version 2 group, or of any group above it", () => {
    const files = {
      "/proc/self/cgroup": "0::/user.slice/app.scope\n",
      "/proc/self/mountinfo": v2Mount(),
      "/sys/fs/cgroup/user.slice/app.scope/cpu.max": "max 100000\n",
      "/sys/fs/cgroup/user.slice/cpu.max": "250000 100000\n",
    };
    expect(usableCores(machine(files), 8)).toBe(2);
    expect(usableCores(machine({ ...files, "/sys/fs/cgroup/user.slice/app.scope/cpu.max": "100000 100000" }), 8)).toBe(
      1,
    );
  });

  it("are at most the quota of a version 1 group", () => {
    const files = {
      "/proc/self/cgroup": "4:memory:/docker/abc\n3:cpu,cpuacct:/docker/abc\n0::/\n",
      "/proc/self/mountinfo": v1Mount(),
      "/sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us": "300000\n",
      "/sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_period_us": "100000\n",
    };
    expect(usableCores(machine(files), 8)).toBe(3);
    expect(
      usableCores(machine({ ...files, "/sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us": "-1\n" }), 8),
    ).toBe(8);
  });

  it("find the group of a container, whose mount shows only its own part", () => {
    const inside = {
      "/sys/fs/cgroup/cpu/cpu.cfs_quota_us": "150000",
      "/sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000",
    };
    const mount = v1Mount("/sys/fs/cgroup/cpu", "/docker/abc");
    const member = { "/proc/self/cgroup": "3:cpu,cpuacct:/docker/abc\n", "/proc/self/mountinfo": mount };
    expect(usableCores(machine({ ...member, ...inside }), 8)).toBe(1);
    const elsewhere = { "/proc/self/cgroup": "3:cpu,cpuacct:/other\n", "/proc/self/mountinfo": mount };
    expect(usableCores(machine({ ...elsewhere, ...inside }), 8)).toBe(1);
  });

  it("are never less than one", () => {
    const files = {
      "/proc/self/cgroup": "0::/\n",
      "/proc/self/mountinfo": v2Mount(),
      "/sys/fs/cgroup/cpu.max": "20000 100000\n",
    };
    expect(usableCores(machine(files), 4)).toBe(1);
  });

  it("read on this machine are between one and what it reports", () => {
    const cores = usableCores();
    expect(Number.isInteger(cores)).toBe(true);
    expect(cores).toBeGreaterThanOrEqual(1);
    expect(cores).toBeLessThanOrEqual(usableCores(machine({})));
  });

  it("come from lists in the kernel's form", () => {
    expect(parseCpuList("0-2,5,8-9\n")).toEqual([0, 1, 2, 5, 8, 9]);
    expect(parseCpuList("")).toEqual([]);
  });
});

describe("threads of a model", () => {
  const gigabyte = 2 ** 30;
  it("are all usable cores, and one for a tiny model", () => {
    expect(chooseThreads(4, gigabyte)).toBe(4);
    expect(chooseThreads(4, 1_000_000)).toBe(1);
  });
  it("are as many as num_thread asks for, but never more than the usable cores", () => {
    expect(chooseThreads(4, gigabyte, 3)).toBe(3);
    expect(chooseThreads(4, gigabyte, 64)).toBe(4);
    expect(chooseThreads(4, 1000, 2)).toBe(2);
  });
});
