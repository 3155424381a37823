/**
 * The environments of the processes. Every program of the user can read them, so they hold no secret: only variables
 * that Node, the system and the engine read. All other data come over the process's channel.
 */
import type { ServiceName } from "../../contract/process/services.ts";
import type { Settings } from "../../contract/process/settings.ts";
import { parseUpstream } from "../../contract/process/upstream-setting.ts";
import type { ForkRequest } from "./child.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type Variables = Record<string, string>;

/**
 * By default glibc keeps freed memory per thread and allocates ever larger pieces there: 130 MB were wasted after some
 * hundred model loads. With one arena for all threads, and pieces from 1 MiB returned at once, memory goes back to the
 * system.
 */
const memoryGoesBack = { MALLOC_ARENA_MAX: "1", MALLOC_MMAP_THRESHOLD_: String(1024 * 1024) };

/** With one worker, every decode runs on the same thread. The engine's second thread only pays off then. */
const oneWorker = { UV_THREADPOOL_SIZE: "1" };

const environments: Partial<Record<ServiceName, Readonly<Record<string, string>>>> = {
  model: memoryGoesBack,
  runner: { ...memoryGoesBack, ...oneWorker },
};

export const processEnvironment = (name: ServiceName): Readonly<Record<string, string>> => environments[name] ?? {};

/** Ignores case, because programs that read proxies spell the variables differently. */
const inherited = [
  // The user, folders and language.
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|PWD|TMPDIR|TEMP|TMP|LANG|LANGUAGE|LC_\w+|TZ|TZDIR|TERM|CI)$/i,
  /^(?:XDG_\w+|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|DBUS_SESSION_BUS_ADDRESS|INIT_CWD|npm_package_name)$/i,
  /^(?:SystemRoot|SystemDrive|windir|ComSpec|PATHEXT|OS|APPDATA|LOCALAPPDATA|USERPROFILE|USERNAME|USERDOMAIN|HOMEDRIVE)$/i,
  /^(?:HOMEPATH|PUBLIC|ALLUSERSPROFILE|ProgramData|(?:Common)?Program(?:Files|W6432)(?:\(x86\))?|COMPUTERNAME)$/i,
  /^(?:NUMBER_OF_PROCESSORS|PROCESSOR_\w+)$/i,
  // Node, Electron and the C library.
  /^NODE_(?:OPTIONS|EXTRA_CA_CERTS|USE_SYSTEM_CA|USE_ENV_PROXY|TLS_REJECT_UNAUTHORIZED|PATH|ENV|DEBUG|V8_COVERAGE)$/i,
  /^NODE_(?:COMPILE_CACHE|COMPILE_CACHE_PORTABLE|DISABLE_COMPILE_CACHE|NO_WARNINGS|ICU_DATA|PENDING_DEPRECATION)$/i,
  /^(?:SSL_CERT_(?:FILE|DIR)|OPENSSL_CONF|UV_\w+|NO_COLOR|FORCE_COLOR|ELECTRON_\w+|APPIMAGE|APPDIR|SNAP)$/i,
  /^(?:LD_\w+|DYLD_\w+|MALLOC_\w+|GLIBC_TUNABLES|FAKETIME\w*|OMP_\w+|VIPS_\w+)$/i,
  // GPUs and the engine.
  /^(?:OLLAMA|CUDA|NVIDIA|HIP|HSA|ROCR|ROCM|GPU|GGML|VK|ONEAPI|SYCL|ZE|MESA|DRI|NODE_LLAMA_CPP)_\w+$/i,
  // Hearth's own between its processes, and those of its tests.
  /^HEARTH_(?:COMMAND|CONFIGURATION|TEMPORARY_FOLDERS|UNHANDLED_ERRORS_FILE|TEST_\w+)$/i,
];
/** They may hold a password. The runner calls nobody. */
const proxy = /^(?:HTTP|HTTPS|ALL|NO)_PROXY$/i;
/** Names of secrets, such as OLLAMA_API_KEY, are excluded even if they match the list. */
const secretName = /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL|AUTH(?!ORITY$)/i;

const chosen = (env: Environment, isChosen: (name: string) => boolean): Variables =>
  Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined && isChosen(entry[0])),
  );

/** The part of the parent's environment that a process inherits. */
export const inheritedEnvironment = (name: ForkRequest["name"], env: Environment): Variables =>
  chosen(
    env,
    (variable) =>
      (inherited.some((one) => one.test(variable)) && !secretName.test(variable)) ||
      (name !== "runner" && proxy.test(variable)),
  );

/** Variables that packages read if a setting requires them: keys of databases and buckets. */
export const packageVariables = (
  env: Environment,
  { database_url, uploads_bucket }: Pick<Settings, "database_url" | "uploads_bucket">,
): Variables =>
  chosen(
    env,
    (name) =>
      (database_url !== undefined && /^PG[A-Z_]+$/i.test(name)) ||
      (uploads_bucket !== undefined && /^AWS_\w+$/i.test(name)),
  );

/** The variables for one service that may be secrets. It gets them over its channel. */
export function secretVariables(name: ServiceName, env: Environment, settings: Settings): Variables {
  if (name === "app") return packageVariables(env, settings);
  if (name === "runner") return {};
  const named = settings.upstreams.map((upstream) => parseUpstream(upstream).keyVariable);
  return chosen(env, (variable) => named.includes(variable));
}
