/** Private keys as ssh-keygen, and Ollama, write them: OpenSSH's own format, which Node does not read. */
import { createPrivateKey, type KeyObject } from "node:crypto";

const keyType = "ssh-ed25519";
const magic = "openssh-key-v1\0";

/** Takes numbers and strings off the front of bytes. */
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
      if (at + length > bytes.length) throw new RangeError("the key breaks off");
      at += length;
      return bytes.subarray(at - length, at);
    },
  };
}

export const isOpenSshKey = (text: string): boolean => text.includes("-----BEGIN OPENSSH PRIVATE KEY-----");

/** @throws Error for a key of another type, behind a passphrase, or damaged. */
export function parseOpenSshKey(text: string): KeyObject {
  const bytes = Buffer.from(text.replace(/-----[A-Z ]+-----/g, ""), "base64");
  if (bytes.subarray(0, magic.length).toString() !== magic) throw new Error("it is no OpenSSH key");
  const outside = createReader(bytes.subarray(magic.length));
  const cipher = outside.string().toString();
  if (cipher !== "none") throw new Error("it is protected by a passphrase");
  // How a passphrase would be stretched, and with which parameters; how many keys there are, and the public half.
  outside.string();
  outside.string();
  outside.number();
  outside.string();
  const inside = createReader(outside.string());
  if (inside.number() !== inside.number()) throw new Error("it is damaged");
  const type = inside.string().toString();
  if (type !== keyType) throw new Error(`it is a key of the type ${type}, not ${keyType}`);
  const x = inside.string().toString("base64url");
  // The secret half, and the public one once more.
  const d = inside.string().subarray(0, 32).toString("base64url");
  return createPrivateKey({ key: { kty: "OKP", crv: "Ed25519", x, d }, format: "jwk" });
}
