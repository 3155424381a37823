/** The merchants' backends of test/clients/backends, each in its own language, connected to a simulator. */
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { freePort } from "../../process/free-port.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const root = join(import.meta.dirname, "../../../..");

/** What builds a backend in its folder, and what starts it there. Debian's packages, not the machine's others. */
const languages = {
  node: { start: [process.execPath, "backend.mjs"] },
  go: { build: ["go", "build", "-o", "backend", "backend.go", "orders.go", "wechat_pay.go"], start: ["./backend"] },
  java: {
    build: ["javac", "-encoding", "UTF-8", "-cp", "/usr/share/java/gson.jar", "Backend.java", "WechatPay.java"],
    start: ["java", "-cp", "/usr/share/java/gson.jar:.", "Backend"],
  },
  php: { start: ["php", "backend.php"] },
  python: { start: ["/usr/bin/python3", "backend.py"] },
} as const satisfies Record<string, { build?: readonly string[]; start: readonly string[] }>;

export type BackendLanguage = keyof typeof languages;
export const backendLanguages = Object.keys(languages) as BackendLanguage[];

/** @param change what is changed in its folder before it starts */
export async function startBackend(
  language: BackendLanguage,
  providerUrl: string,
  change: (folder: string) => void = () => undefined,
) {
  const temporary = temporaryFolder();
  const folder = join(temporary.path, language);
  const cache = join(temporary.path, "cache");
  mkdirSync(cache);
  cpSync(join(root, "test/clients/backends", language), folder, { recursive: true });
  symlinkSync(join(root, "node_modules"), join(temporary.path, "node_modules"));
  change(folder);
  const port = await freePort();
  const env = {
    ...process.env,
    ...{ PORT: String(port), HEARTH_PROVIDER_URL: providerUrl, TMPDIR: cache },
    ...{ GOCACHE: cache, GOFLAGS: "-mod=mod", GO111MODULE: "off", PYTHONDONTWRITEBYTECODE: "1" },
  };
  const { build, start } = { build: undefined, ...languages[language] };
  if (build) {
    const [compiler, ...args] = build;
    const built = spawnSync(compiler, args, { cwd: folder, env, encoding: "utf8" });
    if (built.status !== 0) throw new Error(`${language}: ${built.stderr || String(built.error)}`);
  }
  const [program, ...args] = start;
  const child = spawn(program, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  const errors = text(child.stderr);
  const closed = once(child, "close");
  const line = await Promise.race([once(createInterface(child.stdout), "line"), closed.then(() => errors)]);
  if (String(line) !== "listening") throw new Error(`${language} ended: ${String(line)}`);
  return {
    url: `http://127.0.0.1:${String(port)}`,
    async [Symbol.asyncDispose](): Promise<void> {
      child.kill("SIGTERM");
      await closed;
      temporary[Symbol.dispose]();
    },
  };
}
