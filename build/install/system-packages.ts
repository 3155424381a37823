/** The tests' system requirements besides Node: a virtual display, Chromium's libraries, and a few commands and languages. */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { isCi } from "../is-ci.ts";

interface Need {
  /** Whether it is already installed. */
  isThere: (libraries: string) => boolean;
  /** Its names on Debian and Ubuntu, the newer one first. */
  packages: readonly [string, ...string[]];
}

const command = (name: string, ...packages: [string, ...string[]]): Need => ({
  isThere: () => spawnSync("sh", ["-c", `command -v ${name}`]).status === 0,
  packages,
});
const library = (file: string, ...packages: [string, ...string[]]): Need => ({
  isThere: (libraries) => libraries.includes(file),
  packages,
});

const phpExtension = (name: string): Need => ({
  isThere: () => spawnSync("php", ["-r", `exit(extension_loaded('${name}') ? 0 : 1);`]).status === 0,
  packages: [`php-${name}`],
});

const needs: readonly Need[] = [
  command("Xvfb", "xvfb"),
  command("inotifywait", "inotify-tools"),
  command("openssl", "openssl"),
  command("script", "bsdutils"),
  // systemd-analyze, which checks the unit.
  command("systemd-analyze", "systemd"),
  command("chromium", "chromium", "chromium-browser"),
  // promtool, which checks metrics.
  command("promtool", "prometheus"),
  // What the clients of test/clients/merchants run on.
  command("curl", "curl"),
  command("python3", "python3"),
  // Renders chat templates, to compare; Debian's own Python has it.
  { isThere: () => existsSync("/usr/lib/python3/dist-packages/jinja2/__init__.py"), packages: ["python3-jinja2"] },
  command("php", "php-cli"),
  phpExtension("curl"),
  command("javac", "default-jdk-headless"),
  // A server for the tests on PostgreSQL; Debian keeps its programs beside the path.
  { isThere: () => globSync("/usr/lib/postgresql/*/bin/initdb").length > 0, packages: ["postgresql"] },
  // In front of several instances; also beside the path of an ordinary user.
  { isThere: () => existsSync("/usr/sbin/nginx"), packages: ["nginx-light", "nginx"] },
  { isThere: () => globSync("/usr/lib/*/faketime/libfaketime.so.1").length > 0, packages: ["libfaketime"] },
  // Without a Chinese font, pictures of Chinese pages show boxes, and no text has its true width.
  { isThere: () => globSync("/usr/share/fonts/**/NotoSansCJK*").length > 0, packages: ["fonts-noto-cjk"] },
  library("libgtk-3.so.0", "libgtk-3-0t64", "libgtk-3-0"),
  library("libnss3.so", "libnss3"),
  library("libasound.so.2", "libasound2t64", "libasound2"),
  library("libgbm.so.1", "libgbm1"),
  library("libXss.so.1", "libxss1"),
  library("libatk-bridge-2.0.so.0", "libatk-bridge2.0-0t64", "libatk-bridge2.0-0"),
  library("libdrm.so.2", "libdrm2"),
];

/** What the backends of test/clients/backends run on that only CI starts. */
const backendNeeds: readonly Need[] = [
  command("go", "golang-go"),
  phpExtension("sqlite3"),
  { isThere: () => existsSync("/usr/share/java/gson.jar"), packages: ["libgoogle-gson-java"] },
  {
    isThere: () => existsSync("/usr/lib/python3/dist-packages/cryptography/__init__.py"),
    packages: ["python3-cryptography"],
  },
];

/** What trains the starter model. */
const trainingNeeds: readonly Need[] = [
  {
    isThere: () => existsSync("/usr/lib/python3/dist-packages/torch/__init__.py"),
    packages: ["python3-torch"],
  },
  // Without it PyTorch multiplies by the reference routines, which take many times as long.
  { isThere: () => globSync("/usr/lib/*/openblas*/libblas.so.3").length > 0, packages: ["libopenblas0-openmp"] },
];

const isDebian = (): boolean => {
  try {
    return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(readFileSync("/etc/os-release", "utf8"));
  } catch {
    return false;
  }
};

/** The first name that this release of the system knows. */
function knownName(names: Need["packages"]): string {
  const known = names.find((name) => {
    const { stdout } = spawnSync("apt-cache", ["policy", name], { encoding: "utf8" });
    return /Candidate: (?!\(none\))/.test(stdout ?? "");
  });
  return known ?? names[0];
}

function apt(...args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync("apt-get", args, { stdio: ["ignore", "ignore", "inherit"], env }).status === 0;
}

/**
 * Installs missing packages, as root on Debian or Ubuntu.
 * @param training whether a starter model is trained, too
 * @returns one line naming what is still missing, with the command that installs it; undefined if nothing is.
 */
export function ensureSystemPackages({ training = false } = {}): string | undefined {
  if (process.platform !== "linux") return undefined;
  const findMissing = () => {
    const libraries = spawnSync("ldconfig", ["-p"], {
      encoding: "utf8",
      env: { ...process.env, PATH: `${process.env["PATH"]}:/sbin:/usr/sbin` },
    }).stdout;
    const all = [...needs, ...(isCi ? backendNeeds : []), ...(training ? trainingNeeds : [])];
    return all.filter((need) => !need.isThere(libraries ?? ""));
  };
  const missing = findMissing();
  if (missing.length === 0) return undefined;
  if (isDebian() && process.getuid?.() === 0) {
    console.log(`Installing system packages: ${missing.map(({ packages }) => packages[0]).join(" ")}`);
    apt("update");
    apt("install", "-y", "--no-install-recommends", ...missing.map(({ packages }) => knownName(packages)));
  }
  const left = findMissing().map(({ packages }) => (isDebian() ? knownName(packages) : packages[packages.length - 1]));
  if (left.length === 0) return undefined;
  return `missing on this system: ${left.join(" ")}; install with: sudo apt-get install -y ${left.join(" ")}`;
}
