import type { Entries } from "../entries.ts";

/** Devices of the local network: the page that they get, and why a service is not there for them. */
// prettier-ignore
export const devices = {
  "device.waiting": "This device ({address}, {id}) is waiting for access. Allow it on the page Devices of Hearth's console.",
  "lanPage.waiting": "This device is waiting for access",
  "lanPage.how": "On the computer, open the page Devices of Hearth's console and allow this device. This page continues automatically.",
  "lanPage.known": "Its name there",
  "lanPage.in": "This device has access",
  "lanPage.addresses": "Addresses of Hearth for apps on this device:",
  "lanPage.certificate": "Download the device certificate",
  "lanPage.refused": "Not available to devices",
  "lan.notYet": "Not listening yet.",
  "lan.portInUse": "Port {port} is used by another program at {address}.",
  "lan.failed": "Hearth cannot listen at {address}: {reason}.",
  "lan.noAddress": "The network interface {name} has no address.",
  "lan.appDown": "The application server does not respond.",
  "lan.modelDown": "Hearth's model service does not respond. For another Ollama, set OLLAMA_HOST.",
} as const satisfies Entries;
