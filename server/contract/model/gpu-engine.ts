/**
 * The engine's builds for GPUs: packages of node-llama-cpp in npm's registry, which a person adds, because few machines can
 * use them. Macs need none: their build includes Metal.
 */
import { z } from "zod";

export const gpuKindSchema = z.enum(["cuda", "vulkan"]);
export type GpuKind = z.infer<typeof gpuKindSchema>;

/** The version of node-llama-cpp that the packages below belong to. */
export const engineVersion = "3.21.1";

/** The engine's package for a system, without the builds for other GPUs; it calls macOS and Windows by other names than Node. */
export function enginePackage(platform: string, arch: string): string {
  if (platform === "darwin") return `@node-llama-cpp/mac-${arch}${arch === "arm64" ? "-metal" : ""}`;
  return `@node-llama-cpp/${platform === "win32" ? "win" : platform}-${arch}`;
}

export interface EnginePackage {
  /** Its name in the scope `@node-llama-cpp`. */
  readonly name: string;
  /** Subresource Integrity of its archive, as npm states it. */
  readonly integrity: string;
  /** The size of that archive. */
  readonly bytes: number;
}

export type GpuPackages = Readonly<Partial<Record<GpuKind, readonly EnginePackage[]>>>;

const packages: Readonly<Record<string, GpuPackages>> = {
  "linux-x64": {
    vulkan: [
      {
        name: "linux-x64-vulkan",
        integrity: "sha512-flEeSzONQ6OIm5bYKLQf4eEnBzcC5WugFbyPUwkCqyyOFZ8pH0H9ulQ7ZNDLSIczeKneMRJornlyY1Hq7d3GDA==",
        bytes: 27_476_121,
      },
    ],
    cuda: [
      {
        name: "linux-x64-cuda",
        integrity: "sha512-idsE55VoD/FbvLhnBC9krUJaUoC0XnebseAAnCpm/brKf61HEbu+idgbb5eN6mxkjLSrHtILprJ0nDcUJjVrFg==",
        bytes: 142_850_036,
      },
      {
        name: "linux-x64-cuda-ext",
        integrity: "sha512-1PuURowccBcks3CCoMe1mTHh5vD0V5bFHMUEgtbI/OSDjpP+Pdbn+lf42CGUrepTzR8kCH1HovQ7d8q6/vuIKA==",
        bytes: 176_679_086,
      },
    ],
  },
  "win32-x64": {
    vulkan: [
      {
        name: "win-x64-vulkan",
        integrity: "sha512-HJ237Azh5m4Sz+w3A1IU/fYLaSDOocskcfn2ILTgqTuuORCB86EMnu3Yt/XsNhRHTtEiwz1Q/E0mO4PLIbZLAA==",
        bytes: 26_619_567,
      },
    ],
    cuda: [
      {
        name: "win-x64-cuda",
        integrity: "sha512-PLz70neFEMkQTlmJqG1ujUtCSgHasLPMxQ9rLkqQVmZYAXqkRj+45TIHCjdn3XqUeaoun0vrO9rRaxZ8NVq9jg==",
        bytes: 138_542_727,
      },
      {
        name: "win-x64-cuda-ext",
        integrity: "sha512-L2MxLVEYPDDe4O8EDWPmX6brldc9+Vt9hNoT/anj3pSnmrjkQcmaoKhHs6oP5qhEhb5Uog0rj6lgzNGtJO3p9Q==",
        bytes: 175_417_684,
      },
    ],
  },
};

/** The builds for a system, as Node names it; none where the engine has none, or needs none. */
export const gpuPackagesFor = (platform: string, arch: string): GpuPackages => packages[`${platform}-${arch}`] ?? {};
