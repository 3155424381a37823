/** Random operations on a folder, each as a shell command and as a call of a program. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { dirname } from "node:path";
import fc from "fast-check";

export interface Operation {
  readonly does: keyof typeof operations;
  readonly file: string;
  readonly otherFile: string;
  readonly folder: string;
  readonly otherFolder: string;
  /** Length of what is written, and the pause after it. */
  readonly size: number;
  readonly pauseMs: number;
}

type Step = readonly [shell: (one: Operation) => string, call: (one: Operation) => void];

const old = new Date("2020-01-01T00:00:00Z");
const text = ({ size }: Operation) => "x".repeat(size);
/** renameat2 with RENAME_EXCHANGE, which neither Node nor every mv has. */
const exchange = (a: string, b: string) => `syscall(316, -100, "${a}", -100, "${b}", 2)`;
const perl = (a: string, b: string) => void execFileSync("perl", ["-e", exchange(a, b)]);

const operations = {
  create: [({ file }) => `: >> ${file}`, ({ file }) => fs.closeSync(fs.openSync(file, "a"))],
  write: [(one) => `printf ${text(one)} > ${one.file}`, (one) => fs.writeFileSync(one.file, text(one))],
  append: [(one) => `printf ${text(one)} >> ${one.file}`, (one) => fs.appendFileSync(one.file, text(one))],
  truncate: [({ file }) => `truncate -c -s 0 ${file}`, ({ file }) => fs.truncateSync(file)],
  save: [
    (one) => `printf ${text(one)} > ${one.file}~; mv -f ${one.file}~ ${one.file}`,
    (one) => {
      fs.writeFileSync(`${one.file}~`, text(one));
      fs.renameSync(`${one.file}~`, one.file);
    },
  ],
  restamp: [
    ({ file }) =>
      `[ -f ${file} ] && { printf y | dd of=${file} conv=notrunc status=none; touch -d 2020-01-01Z ${file}; }`,
    ({ file }) => {
      const descriptor = fs.openSync(file, "r+");
      fs.writeSync(descriptor, "y", 0);
      fs.futimesSync(descriptor, old, old);
      fs.closeSync(descriptor);
    },
  ],
  rename: [
    ({ file, otherFile }) => `mv -T ${file} ${otherFile}`,
    ({ file, otherFile }) => fs.renameSync(file, otherFile),
  ],
  "there and back": [
    ({ file, otherFile }) => `mv -nT ${file} ${otherFile}- && mv -T ${otherFile}- ${file}`,
    ({ file, otherFile }) => {
      fs.renameSync(file, `${otherFile}-`);
      fs.renameSync(`${otherFile}-`, file);
    },
  ],
  exchange: [
    ({ file, otherFile }) => `perl -e '${exchange(file, otherFile)}'`,
    ({ file, otherFile }) => perl(file, otherFile),
  ],
  remove: [({ file }) => `rm -f ${file}`, ({ file }) => fs.unlinkSync(file)],
  link: [({ file, otherFile }) => `ln ${file} ${otherFile}`, ({ file, otherFile }) => fs.linkSync(file, otherFile)],
  chmod: [({ file, size }) => `chmod ${mode(size)} ${file}`, ({ file, size }) => fs.chmodSync(file, mode(size))],
  utime: [({ file }) => `touch -c -d 2020-01-01Z ${file}`, ({ file }) => fs.utimesSync(file, old, old)],
  "chmod folder": [
    ({ folder, size }) => `chmod ${mode(size)} ${folder}`,
    ({ folder, size }) => fs.chmodSync(folder, mode(size)),
  ],
  "chmod folder, then write in it": [
    ({ folder, size }) =>
      `chmod ${mode(size)} ${folder}; sleep 0.00${String(size)}; printf y > ${folder}/${String(size)}`,
    ({ folder, size }) => {
      fs.chmodSync(folder, mode(size));
      wait(size - 1);
      fs.writeFileSync(`${folder}/${String(size)}`, "y");
    },
  ],
  "utime folder": [
    ({ folder }) => `touch -c -d 2020-01-01Z ${folder}`,
    ({ folder }) => fs.utimesSync(folder, old, old),
  ],
  mkdir: [({ folder }) => `mkdir -p ${folder}`, ({ folder }) => void fs.mkdirSync(folder, { recursive: true })],
  "rmdir -p": [
    ({ folder }) => `rmdir -p ${folder}`,
    ({ folder }) => {
      for (let at = folder; at !== "."; at = dirname(at)) fs.rmdirSync(at);
    },
  ],
  "rm -r": [({ folder }) => `rm -rf ${folder}`, ({ folder }) => fs.rmSync(folder, { recursive: true })],
  "make anew": [
    ({ folder }) => `rm -rf ${folder}; mkdir ${folder}; printf z > ${folder}/1`,
    ({ folder }) => {
      fs.rmSync(folder, { recursive: true });
      fs.mkdirSync(folder);
      fs.writeFileSync(`${folder}/1`, "z");
    },
  ],
  "move folder": [
    ({ folder, otherFolder }) => `mv -T ${folder} ${otherFolder}`,
    ({ folder, otherFolder }) => fs.renameSync(folder, otherFolder),
  ],
  "exchange folders": [
    ({ folder, otherFolder }) => `perl -e '${exchange(folder, otherFolder)}'`,
    ({ folder, otherFolder }) => perl(folder, otherFolder),
  ],
  mount: [
    ({ folder }) => `mount -t tmpfs none ${folder}`,
    ({ folder }) => void execFileSync("mount", ["-t", "tmpfs", "none", folder], { stdio: "ignore" }),
  ],
  unmount: [
    ({ folder }) => `umount ${folder}`,
    ({ folder }) => void execFileSync("umount", [folder], { stdio: "ignore" }),
  ],
} satisfies Record<string, Step>;

const wait = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
const mode = (size: number) => (size % 2 === 0 ? "700" : "755");

export const folders = ["a", "b", "a/s", "b/t", "a/s/u", "n", "n/m"] as const;
const file = fc.tuple(fc.constantFrom(".", ...folders), fc.constantFrom("1", "2", "3")).map((parts) => parts.join("/"));

/** Operations with pauses from none to longer than the watcher waits for anything. */
export function randomOperations(count: number, seed: number, withMounts = false): Operation[] {
  const all = (Object.keys(operations) as Operation["does"][]).filter((name) => withMounts || !name.includes("mount"));
  const operation = fc.record({
    does: fc.constantFrom(...all, ...(withMounts ? (["mount", "unmount", "unmount"] as const) : [])),
    file,
    otherFile: file,
    folder: fc.constantFrom(...folders),
    otherFolder: fc.constantFrom(...folders),
    size: fc.integer({ min: 1, max: 9 }),
    pauseMs: fc.constantFrom(0, 0, 0, 0, 1, 2, 4, 8, 12, 30, 150),
  });
  return fc.sample(operation, { numRuns: count, seed });
}

export function asShellScript(all: readonly Operation[]): string {
  return all
    .map((one) => `${operations[one.does][0](one)}; sleep 0.${String(one.pauseMs).padStart(3, "0")}`)
    .join("\n");
}

/** Runs the operations in the current folder; some are not possible, which is no failure. */
export function callAll(all: readonly Operation[]): void {
  for (const one of all) {
    try {
      operations[one.does][1](one);
    } catch {
      // Not possible as things are.
    }
    wait(one.pauseMs);
  }
}
