/**
 * Makes certificates (RFC 5280) with Node's own keys. The authority may certify only the stood-in and local hosts,
 * which certificate libraries do not support.
 */
import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  type KeyObject,
  type X509Certificate,
} from "node:crypto";
import { isIP } from "node:net";
import { platformHosts } from "../contract/platform-hosts.ts";
import * as der from "./der.ts";

const dayMs = 86_400_000;
const authorityDays = 3_650;
/** Some systems refuse server certificates that are valid for more than 398 days. */
const serverDays = 397;

const authorityName = "Hearth certificate authority";
const ecdsaWithSha256 = der.sequence(der.oid("1.2.840.10045.4.3.2"));

/** Names that the authority may certify: the hosts that Hearth stands in for, this machine, and local networks. */
export const permittedDomains = [...platformHosts, "localhost", "local"];
export const permittedNetworks = [
  ...["127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"],
  ...["::1/128", "fc00::/7", "fe80::/10"],
];

/** The 4 or 16 bytes of an address. */
function bytesOf(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split(".").map(Number));
  const [head = "", tail = ""] = address.split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16)));
  const [before, after] = [groups(head), groups(tail)];
  const all = [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}

/** The first `count` bits are set. */
const maskOf = (bytes: number, count: number) =>
  Buffer.from(Array.from({ length: bytes }, (_, at) => 0xff & ~(0xff >> Math.min(8, Math.max(0, count - 8 * at)))));

const dnsName = (name: string) => der.implicit(2, Buffer.from(name));
const ipAddress = (bytes: Uint8Array) => der.implicit(7, bytes);

function networkName(network: string): Buffer {
  const [address = "", prefix] = network.split("/");
  const bytes = bytesOf(address);
  return ipAddress(Buffer.concat([bytes, maskOf(bytes.length, Number(prefix))]));
}

const permittedNames = [...permittedDomains.map(dnsName), ...permittedNetworks.map(networkName)];
const extension = (id: string, value: Buffer, critical = false) =>
  der.sequence(der.oid(id), ...(critical ? [der.boolean(true)] : []), der.octetString(value));
const basicConstraints = (...members: readonly Buffer[]) => extension("2.5.29.19", der.sequence(...members), true);
/** Restricts the authority to the permitted names. */
const nameConstraints = extension(
  "2.5.29.30",
  der.sequence(der.explicit(0, ...permittedNames.map((name) => der.sequence(name)))),
  true,
);
/** @param bits the named ones, from the left */
const keyUsage = (bits: number, unused: number) =>
  extension("2.5.29.15", der.bitString(Uint8Array.of(bits), unused), true);

/** For servers only, not for mail or programs. In an authority, it restricts the certified ones. */
const forServers = extension("2.5.29.37", der.sequence(der.oid("1.3.6.1.5.5.7.3.1")));

const attribute = (id: string, text: string) => der.set(der.sequence(der.oid(id), der.utf8String(text)));
const distinguishedName = (name: string) => der.sequence(attribute("2.5.4.10", "Hearth"), attribute("2.5.4.3", name));

const encodedKey = (key: KeyObject) => createPublicKey(key).export({ type: "spki", format: "der" });
const idOf = (key: KeyObject) => createHash("sha256").update(encodedKey(key)).digest().subarray(0, 20);

const pemOf = (bytes: Buffer) =>
  `-----BEGIN CERTIFICATE-----\n${(bytes.toString("base64").match(/.{1,64}/g) ?? []).join("\n")}\n-----END CERTIFICATE-----\n`;

interface Certified {
  readonly name: string;
  /** The key that is certified. */
  readonly key: KeyObject;
  /** The key that signs. */
  readonly issuer: KeyObject;
  /** Unix ms. */
  readonly at: number;
  /** The days of validity. */
  readonly days: number;
  readonly extensions: readonly Buffer[];
}

function certificate({ name, key, issuer, at, days, extensions }: Certified): string {
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40; // positive, and of full length
  const content = der.sequence(
    der.explicit(0, der.integer(2)),
    der.integer(...serial),
    ecdsaWithSha256,
    distinguishedName(authorityName),
    // One day in the past, because the clocks of both sides may differ.
    der.sequence(der.time(at - dayMs), der.time(at + days * dayMs)),
    distinguishedName(name),
    encodedKey(key),
    der.explicit(
      3,
      der.sequence(
        ...extensions,
        extension("2.5.29.14", der.octetString(idOf(key))),
        extension("2.5.29.35", der.sequence(der.implicit(0, idOf(issuer)))),
      ),
    ),
  );
  return pemOf(der.sequence(content, ecdsaWithSha256, der.bitString(sign("sha256", content, issuer))));
}

export const makeKey = (): KeyObject => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

export interface Authority {
  readonly key: KeyObject;
  /** PEM. */
  readonly certificate: string;
}

/** @param at Unix ms */
export function createAuthority(at: number): Authority {
  const key = makeKey();
  const extensions = [
    basicConstraints(der.boolean(true), der.integer(0)),
    keyUsage(0b0000_0110, 1), // signs certificates and lists of revoked ones
    forServers,
    nameConstraints,
  ];
  return {
    key,
    certificate: certificate({ name: authorityName, key, issuer: key, at, days: authorityDays, extensions }),
  };
}

/** The tag of the extensions among the members of a certificate's content. */
const extensionsTag = 0xa3;

/** Whether an authority has the same constraints as Hearth's. @throws RangeError */
export function hasOurConstraints({ raw }: X509Certificate): boolean {
  const [content = raw] = der.members(raw);
  const extensions = der.members(content).filter((member) => member[0] === extensionsTag);
  return extensions
    .flatMap((one) => der.members(one))
    .flatMap((list) => der.members(list))
    .some((one) => one.equals(nameConstraints));
}

/** A server's certificate, PEM. @param hosts names and addresses @param at Unix ms */
export const certifyServer = (key: KeyObject, issuer: KeyObject, hosts: readonly string[], at: number): string =>
  certificate({
    name: "Hearth",
    key,
    issuer,
    at,
    days: serverDays,
    extensions: [
      basicConstraints(),
      keyUsage(0b1000_0000, 7), // signs
      forServers,
      extension(
        "2.5.29.17",
        der.sequence(...hosts.map((host) => (isIP(host) === 0 ? dnsName(host) : ipAddress(bytesOf(host))))),
      ),
    ],
  });
