/** Runs lives, and shrinks one that violates an invariant. Import `simulated-process.ts` before this file. */
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SimAlipayCredentials, SimCredentials } from "../../../server/contract/provider/provider-keys.ts";
import { copyDisk } from "./copy-disk.ts";
import { crashState } from "./crashing-disk.ts";
import { checkEnd, checkInvariants } from "./invariants.ts";
import { exchange } from "./exchange.ts";
import { openLifeProvider } from "./life-provider.ts";
import { LifeWorld, type PlantedError } from "./life-world.ts";
import { prepareProducts } from "./product-calls.ts";
import { Random } from "./random.ts";
import { beginTime } from "./simulated-process.ts";
import type { Step } from "./step-kinds.ts";
import { drawSteps, runStep, runToEnd } from "./steps.ts";

export interface Life {
  readonly seed: number;
  readonly steps: readonly Step[];
  readonly log: readonly string[];
  readonly violations: readonly string[];
}

const stepsPerLife = 32;

/** Where the disk of lives lies: in memory, where the system has such a folder. */
const diskFolder = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** Lives of a run share the disk that a first process has made, with its keys. */
export class Lives {
  readonly #folder: string;
  readonly #credentials: SimCredentials;
  readonly #alipay: SimAlipayCredentials;

  private constructor(folder: string, credentials: SimCredentials, alipay: SimAlipayCredentials) {
    this.#folder = folder;
    this.#credentials = credentials;
    this.#alipay = alipay;
  }

  static async open(): Promise<Lives> {
    const folder = mkdtempSync(join(diskFolder, "hearth-lives-"));
    beginTime(0);
    const poster = { post: () => Promise.reject(new Error("nobody is notified")), close: () => undefined };
    const provider = await openLifeProvider({ file: join(folder, "first.db"), folder, poster });
    const credentials = await provider.readCredentials();
    await prepareProducts({ credentials, call: (call) => exchange(provider.handler, call) });
    const alipay = await exchange(provider.handler, {
      method: "GET",
      path: "/sim/alipay/credentials",
      headers: {},
      body: "",
    });
    await provider.close();
    return new Lives(folder, credentials, JSON.parse(alipay?.body ?? "") as SimAlipayCredentials);
  }

  /** Draws and runs a life. */
  run(seed: number, planted: PlantedError = {}): Promise<Life> {
    return this.runSteps(seed, drawSteps(new Random(seed), stepsPerLife), planted);
  }

  async runSteps(seed: number, steps: readonly Step[], planted: PlantedError = {}): Promise<Life> {
    const file = join(this.#folder, "life.db");
    copyDisk(join(this.#folder, "first.db"), file);
    beginTime(seed);
    const world = new LifeWorld({
      ...{ file, folder: this.#folder, planted },
      ...{ random: new Random(seed ^ 0x5eed), credentials: this.#credentials, alipay: this.#alipay },
    });
    let checkedAt = -1;
    const checkChanges = async () => {
      if (crashState.writes() === checkedAt) return;
      checkedAt = crashState.writes();
      await checkInvariants(world);
    };
    try {
      await world.open();
      for (const step of steps) {
        await runStep(world, step);
        await world.afterStep();
        await checkChanges();
        if (world.violations.length > 0) break;
      }
      if (world.violations.length === 0) {
        await runToEnd(world);
        await checkInvariants(world);
        await checkEnd(world);
      }
    } finally {
      world.end();
    }
    return { seed, steps, log: world.log, violations: world.violations };
  }

  /** The fewest steps found that still violate an invariant. */
  async shrink(life: Life, planted: PlantedError = {}): Promise<Life> {
    let smallest = life;
    for (let size = Math.ceil(life.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
      for (let at = 0; at < smallest.steps.length;) {
        const fewer = await this.runSteps(life.seed, smallest.steps.toSpliced(at, size), planted);
        if (fewer.violations.length > 0) smallest = fewer;
        else at += size;
      }
    return smallest;
  }

  close(): void {
    rmSync(this.#folder, { recursive: true });
  }
}

/** A violated life as a test. */
export const asTest = ({ seed, steps, violations }: Life): string => `it("${violations[0] ?? ""}", async () => {
  const steps = ${JSON.stringify(steps)};
  const { code, stdout } = await runScript(script, ["--seed", "${String(seed)}", "--steps", JSON.stringify(steps)]);
  expect(code, stdout).toBe(0);
});`;

/** The seed of a life within a run. */
export const seedOf = (seed: number, number: number): number =>
  createHash("sha256")
    .update(`${String(seed)} ${String(number)}`)
    .digest()
    .readUInt32BE();
