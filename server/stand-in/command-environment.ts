/** The variables by which runtimes find the proxy and trust the authority. */
import { lstatSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { getCACertificates } from "node:tls";
import { portOf } from "../contract/own-url.ts";
import { standInVariable } from "../contract/platform-hosts.ts";
import { replaceFileSync } from "../file-system/replace-file.ts";
import { javaTruststore, truststorePassword } from "./java-truststore.ts";

interface Standing {
  /** The proxy's address. */
  readonly proxy: string;
  /** The authority's certificate, PEM. */
  readonly certificate: string;
  /** Where files for the command are written; it is made if it is missing. */
  readonly folder: string;
  /** The environment that the command gets otherwise. */
  readonly env: NodeJS.ProcessEnv;
  /** Unix ms. */
  readonly at: number;
}

/** Hosts that Java calls directly. It supports only prefixes of addresses for networks. */
const javaDirectHosts = [
  ...["localhost", "*.localhost", "*.local", "127.*", "[::1]", "10.*", "192.168.*"],
  ...Array.from({ length: 16 }, (_, at) => `172.${String(16 + at)}.*`),
].join("|");

const directHosts = [
  ...["localhost", ".localhost", ".local", "127.0.0.1", "::1"],
  ...["127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"],
].join(",");

const joinedBySpace = (existing: string | undefined, added: string) => [existing, added].filter(Boolean).join(" ");
const joined = (certificates: readonly string[]) => certificates.map((one) => `${one.trim()}\n`).join("");

/** In quotes, since the path may hold spaces. */
const javaProperty = (name: string, value: string) => `"-D${name}=${value}"`;

function javaOptions(proxy: string, truststore: string): string {
  const { hostname } = new URL(proxy);
  const port = String(portOf(proxy));
  return Object.entries({
    "http.proxyHost": hostname,
    "http.proxyPort": port,
    "https.proxyHost": hostname,
    "https.proxyPort": port,
    "http.nonProxyHosts": javaDirectHosts,
    "javax.net.ssl.trustStore": truststore,
    "javax.net.ssl.trustStoreType": "JKS",
    "javax.net.ssl.trustStorePassword": truststorePassword,
  })
    .map(([name, value]) => javaProperty(name, value))
    .join(" ");
}

/** An option in Node's format: in quotes, with escapes. */
const nodeOption = (name: string, value: string) => `${name} ${JSON.stringify(value)}`;

/** Copied to a file in the folder, since other programs cannot read files of a packaged program. */
const readPreload = () => readFileSync(new URL("./stand-in-preload.cjs", import.meta.url));

/**
 * Makes a folder, unless it exists. A link in its place is replaced, because it leads to files of others, perhaps of
 * the same names.
 */
function makeOwnFolder(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true) rmSync(folder);
  mkdirSync(folder, { recursive: true });
}

/**
 * Writes the files that the variables name. Returns variables that send a command's requests through the proxy and make
 * it trust the authority.
 */
export function commandEnvironment({ proxy, certificate, folder, env, at }: Standing): Record<string, string> {
  const write = (name: string, content: string | Uint8Array) => {
    const file = join(folder, name);
    replaceFileSync(file, content);
    return file;
  };
  // Most variables replace the trusted authorities of a runtime, which hosts that are let through need.
  const ownOnes = [certificate, ...getCACertificates("extra")];
  const all = [...new Set([...getCACertificates("system"), ...getCACertificates("bundled"), ...ownOnes])];
  const phpFolder = join(folder, "php");
  for (const path of [folder, phpFolder]) makeOwnFolder(path);
  const [added, bundle] = [write("authority.pem", joined(ownOnes)), write("bundle.pem", joined(all))];
  const preload = write("preload.cjs", readPreload());
  write(join("php", "hearth.ini"), `openssl.cafile = "${bundle}"\ncurl.cainfo = "${bundle}"\n`);
  const java = javaOptions(proxy, write("truststore.jks", javaTruststore(all, at)));
  return {
    ...{ HTTPS_PROXY: proxy, https_proxy: proxy, HTTP_PROXY: proxy, http_proxy: proxy },
    ...{ NO_PROXY: directHosts, no_proxy: directHosts },
    ...{ NODE_USE_ENV_PROXY: "1", NODE_EXTRA_CA_CERTS: added, [standInVariable]: proxy },
    NODE_OPTIONS: joinedBySpace(env["NODE_OPTIONS"], nodeOption("--require", preload)),
    ...{ SSL_CERT_FILE: bundle, CURL_CA_BUNDLE: bundle, REQUESTS_CA_BUNDLE: bundle },
    // An empty part means PHP's own folder.
    PHP_INI_SCAN_DIR: `${env["PHP_INI_SCAN_DIR"] ?? ""}${delimiter}${phpFolder}`,
    JAVA_TOOL_OPTIONS: joinedBySpace(env["JAVA_TOOL_OPTIONS"], java),
  };
}
