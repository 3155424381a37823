import type { Entries } from "../entries.ts";

/** Devices of the local network: the page that they get, and why a service is not there for them. */
// prettier-ignore
export const devices = {
  "device.waiting": "This device ({address}, {id}) has not been let in: let it in on the page Devices of Hearth's console.",
  "lanPage.waiting": "This device is not let in yet",
  "lanPage.how": "On the computer, open the page Devices of Hearth's console and let this device in. This page goes on by itself.",
  "lanPage.known": "There it is shown as",
  "lanPage.in": "This device is let in",
  "lanPage.addresses": "Apps on it reach Hearth at:",
  "lanPage.certificate": "Get the certificate of the authority that vouches for them",
  "lanPage.refused": "This is not offered here",
  "lan.notYet": "It does not listen yet.",
  "lan.portInUse": "Port {port} is in use by another program at {address}.",
  "lan.failed": "It cannot listen at {address}: {reason}.",
  "lan.noAddress": "The network interface {name} has no address just now.",
  "lan.appDown": "The application server does not answer.",
  "lan.modelDown": "Hearth's model service does not answer; another Ollama has its own setting, OLLAMA_HOST.",
} as const satisfies Entries;
