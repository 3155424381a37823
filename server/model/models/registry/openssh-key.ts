/** Reads private keys in OpenSSH's own format, which ssh-keygen and Ollama write and Node cannot read. */
import { createPrivateKey, type KeyObject } from "node:crypto";

const keyType = "ssh-ed25519";
const magic = "openssh-key-v1\0";

/** Reads numbers and strings from the front of bytes. */
function createReader(bytes: Buffer) {
  let at = 0;
  const number = () => {
    at += 4;
    return bytes.readUInt32BE(at - 4);
  };
  return {
    number,
    string(): Buffer {
      const length = number();
      if (at + length > bytes.length) throw new RangeError("the key is incomplete");
      at += length;
      return bytes.subarray(at - length, at);
    },
  };
}

export const isOpenSshKey = (text: string): boolean => text.includes("-----BEGIN OPENSSH PRIVATE KEY-----");

/** @throws Error for a key of another type, with a passphrase, or damaged. */
export function parseOpenSshKey(text: string): KeyObject {
  const bytes = Buffer.from(text.replace(/-----[A-Z ]+-----/g, ""), "base64");
  if (bytes.subarray(0, magic.length).toString() !== magic) throw new Error("it is not an OpenSSH key");
  const outside = createReader(bytes.subarray(magic.length));
  const cipher = outside.string().toString();
  if (cipher !== "none") throw new Error("it is protected by a passphrase");
  // Skips the derivation of the passphrase with its parameters, the number of keys, and the public half.
  outside.string();
  outside.string();
  outside.number();
  outside.string();
  const inside = createReader(outside.string());
  if (inside.number() !== inside.number()) throw new Error("it is damaged");
  const type = inside.string().toString();
  if (type !== keyType) throw new Error(`its type is ${type}, not ${keyType}`);
  const x = inside.string().toString("base64url");
  // The secret half, with the public one repeated in it.
  const d = inside.string().subarray(0, 32).toString("base64url");
  return createPrivateKey({ key: { kty: "OKP", crv: "Ed25519", x, d }, format: "jwk" });
}
