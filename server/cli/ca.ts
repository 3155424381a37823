/** `hearth ca`: the certificate authority of this installation. */
import { X509Certificate } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { printLine, printLines } from "../process/terminal/print-text.ts";
import { resolveSettings } from "../process/settings/read-settings.ts";
import {
  certificateFileIn,
  commandFolderIn,
  fingerprintOf,
  openAuthority,
  removeAuthority,
} from "../stand-in/authority-files.ts";
import { permittedDomains, permittedNetworks } from "../stand-in/certificates.ts";
import { commandEnvironment } from "../stand-in/command-environment.ts";
import { describeHolder, takeInstanceLock } from "../supervisor/data-directory/instance-lock.ts";
import { prepareDataDir } from "../supervisor/data-directory/prepare-data-dir.ts";
import { RunError } from "../supervisor/run-error.ts";
import type { CaInput, RemoveCaInput } from "./ca-inputs.ts";
import type { CommandContext } from "./command.ts";
import { findHearths, onlyOne } from "./find-hearth.ts";
import { posixWord, shellWord } from "../contract/shell-words.ts";

const trustTexts = (file: string) => `
No program trusts the authority yet. For one command, use hearth exec --stand-in -- COMMAND. For a shell, use
eval "$(hearth ca --env)". By hand:

  Node    NODE_EXTRA_CA_CERTS=${file}
  curl    --cacert ${file}
  Python  SSL_CERT_FILE=${file}  (requests: REQUESTS_CA_BUNDLE)
  PHP     -d openssl.cafile=${file} -d curl.cainfo=${file}
  Go      SSL_CERT_FILE=${file}  (Linux)
  Java    keytool -importcert -noprompt -alias hearth -file ${file} -keystore hearth.jks -storepass changeit
          java -Djavax.net.ssl.trustStore=hearth.jks …
  phones  start Hearth with --https, then see the page Devices of the console
`;

/** @throws RunError */
export async function showAuthority(
  { env: asVariables, ...values }: CaInput,
  { env, cwd }: CommandContext,
): Promise<number> {
  const { data_dir: dataDir } = resolveSettings(values, env, cwd);
  return asVariables === true ? printEnvironment(dataDir, env) : show(dataDir);
}

function show(dataDir: string): number {
  prepareDataDir({ data_dir: dataDir });
  const { certificate } = openAuthority(dataDir, Date.now());
  const file = certificateFileIn(dataDir);
  const lines = {
    certificate: file,
    "SHA-256": fingerprintOf(certificate),
    "valid until": new X509Certificate(certificate).validToDate.toISOString().slice(0, 10),
    "valid for": [...permittedDomains, ...permittedNetworks].join(", "),
  };
  for (const [name, value] of Object.entries(lines)) printLine(`${`${name}:`.padEnd(13)}${value}`);
  printLines(trustTexts(shellWord(file, process.platform)));
  return 0;
}

async function printEnvironment(named: string, env: NodeJS.ProcessEnv): Promise<number> {
  const { dataDir, urls } = onlyOne(await findHearths(named), named);
  const proxy = urls?.["stand_in"];
  if (proxy === undefined)
    throw new RunError(
      `the Hearth on the data directory ${dataDir} does not stand in for the real platform's hosts: start it with --stand-in`,
    );
  const at = Date.now();
  const { certificate } = openAuthority(dataDir, at);
  const variables = commandEnvironment({ proxy, certificate, folder: commandFolderIn(dataDir), env, at });
  for (const [name, value] of Object.entries(variables)) printLine(`export ${name}=${posixWord(value)}`);
  return 0;
}

/** @throws RunError */
export async function removeCa(input: RemoveCaInput, { env, cwd }: CommandContext): Promise<number> {
  const { data_dir: dataDir } = resolveSettings(input, env, cwd);
  // Hearth has used a folder with this file.
  if (existsSync(join(dataDir, "lock.db"))) {
    const taken = await takeInstanceLock(dataDir, () => ({ pid: process.pid, window: false }), { request: "ask" });
    if (!("lock" in taken)) throw new RunError(describeHolder(dataDir, taken.holder));
    await taken.lock.release();
  }
  const removed = removeAuthority(dataDir);
  printLine(removed ? removedText(removed.fingerprint) : `${dataDir} has no certificate authority`);
  return 0;
}

/** Reports what was removed, and the remaining steps. */
export const removedText = (fingerprint = "of unknown fingerprint"): string =>
  `removed the certificate authority ${fingerprint}: also remove it from systems and devices that trust it`;
