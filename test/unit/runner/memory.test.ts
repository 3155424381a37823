import { describe, expect, it } from "vitest";
import {
  askMemory,
  availableMemory,
  freeMemory,
  quickNeed,
  reservedMemory,
  weightsTooLarge,
} from "../../../server/runner/memory.ts";

const gib = 1024 ** 3;
const machine = (files: Readonly<Record<string, string>>) => (path: string) => files[path];
const meminfo = "MemTotal:       16000000 kB\nMemFree:          100000 kB\nMemAvailable:    8388608 kB\n";

describe("available memory", () => {
  it("is what the system could give without swapping", () => {
    expect(availableMemory(machine({ "/proc/meminfo": meminfo }), 1)).toBe(8 * gib);
    expect(availableMemory(machine({}), 12345)).toBe(12345);
  });

  it("counts on macOS what the cache of files gives up at once", () => {
    const vmStat = () => `Mach Virtual Memory Statistics: (page size of 16384 bytes)
Pages free:                                3000.
Pages active:                            200000.
Pages inactive:                           40000.
Pages speculative:                         2000.
Pages throttled:                              0.
Pages wired down:                         90000.
`;
    expect(freeMemory("darwin", vmStat)).toBe(45_000 * 16_384);
  });

  it("falls back to what macOS calls free where vm_stat cannot be run or read", () => {
    const broken = () => {
      throw new Error("ENOENT");
    };
    for (const vmStat of [broken, () => "", () => "page size of 0 bytes"])
      expect(freeMemory("darwin", vmStat)).toBeGreaterThan(0);
  });

  it("is at most what a version 2 group, or one above it, has left, file caches included", () => {
    const files = {
      "/proc/meminfo": meminfo,
      "/proc/self/cgroup": "0::/user/app\n",
      "/proc/self/mountinfo": "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
      "/sys/fs/cgroup/user/app/memory.max": "max\n",
      "/sys/fs/cgroup/user/app/memory.current": "500\n",
      "/sys/fs/cgroup/user/memory.max": `${String(4 * gib)}\n`,
      "/sys/fs/cgroup/user/memory.current": `${String(3 * gib)}\n`,
      "/sys/fs/cgroup/user/memory.stat": `anon ${String(gib)}\ninactive_file ${String(2 * gib)}\nactive_file 5\n`,
    };
    expect(availableMemory(machine(files))).toBe(3 * gib);
  });

  it("is at most what a version 1 group has left", () => {
    const files = {
      "/proc/meminfo": meminfo,
      "/proc/self/cgroup": "5:memory:/app\n4:cpu,cpuacct:/app\n",
      "/proc/self/mountinfo": "33 32 0:29 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n",
      "/sys/fs/cgroup/memory/app/memory.limit_in_bytes": String(2 * gib),
      "/sys/fs/cgroup/memory/app/memory.usage_in_bytes": String(gib),
      "/sys/fs/cgroup/memory/app/memory.stat": "total_inactive_file 0\n",
      "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712",
      "/sys/fs/cgroup/memory/memory.usage_in_bytes": String(3 * gib),
    };
    expect(availableMemory(machine(files))).toBe(gib);
  });

  it("leaves a twentieth of the machine to everything else, at most 512 MB", () => {
    expect(reservedMemory(4 * gib)).toBe(Math.floor((4 * gib) / 20));
    expect(reservedMemory(64 * gib)).toBe(gib / 2);
  });
});

describe("a load", () => {
  const question = {
    available: 8 * gib,
    weights: 4 * gib,
    /** A megabyte a token. */
    contextNeed: async (size: number, sequences: number) => size * sequences * 1024 ** 2,
    contextSize: 2048,
    sequences: undefined as number | undefined,
  };

  it("has as many sequences as were asked for, if they fit", async () => {
    expect(await askMemory({ ...question, sequences: 2 })).toEqual({ fits: true, sequences: 2 });
    expect(await askMemory({ ...question, sequences: 3 })).toMatchObject({ fits: false });
  });

  it("has more sequences than one by itself only where they are cheap", async () => {
    expect(await askMemory({ ...question, contextSize: 256 })).toEqual({ fits: true, sequences: 4 });
    expect(await askMemory({ ...question, contextSize: 1024 })).toEqual({ fits: true, sequences: 2 });
    expect(await askMemory({ ...question, contextSize: 4096 })).toEqual({ fits: true, sequences: 1 });
  });

  it("that does not fit is refused with the numbers and the largest context that would", async () => {
    const answer = await askMemory({ ...question, contextSize: 10_000 });
    expect(answer).toEqual({
      fits: false,
      message:
        "model requires more system memory (13.8 GiB: 4.0 GiB weights, 9.8 GiB for a context of 10000 tokens) than is available (8.0 GiB); " +
        "a context of 4096 tokens (option num_ctx) would fit",
    });
    expect(await askMemory({ ...question, contextSize: 4096 })).toMatchObject({ fits: true });
  });

  it("says so when no context would help", async () => {
    const answer = await askMemory({ ...question, weights: 8 * gib });
    expect(answer.fits ? "" : answer.message).toContain("even a small context does not fit");
    expect(weightsTooLarge(9 * gib, 8 * gib)).toBe(
      "model requires more system memory (9.0 GiB for its weights alone) than is available (8.0 GiB)",
    );
  });

  it("asks the engine once for each size, and not at all for very large ones", async () => {
    const asked: number[] = [];
    const need = quickNeed(async (size, sequences) => {
      asked.push(size);
      return 1000 + size * sequences;
    });
    expect([await need(512, 2), await need(512, 2), await need(512, 1)]).toEqual([2024, 2024, 1512]);
    expect(await need(1_000_000_000, 2)).toBe(2_000_001_000);
    expect(Math.max(...asked)).toBe(65_536);
    expect(asked).toHaveLength(4);
  });
});
