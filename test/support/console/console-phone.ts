/** Phones of the console that use a test's own servers. */
import { expect } from "vitest";
import { createAccess } from "../../../renderer/api/http/access.ts";
import { createCall, createSend } from "../../../renderer/api/http/call.ts";
import { createSimulatedPhone, type SimulatedPhone } from "../../../renderer/features/phone/phone.ts";
import type { Permission, Sheet } from "../../../renderer/features/phone/phone-state.ts";
import { consoleToken } from "../app/test-app.ts";
import { memoryStorage } from "./memory-storage.ts";

type Fetch = typeof fetch;
interface Options {
  /** Of the phone's calls to the application server, and of the console's own. */
  readonly pass?: (send: () => Promise<Response>, path: string, init?: RequestInit) => Promise<Response>;
  readonly wait?: () => Promise<void>;
}

/** A phone, and what its storage holds. `pass` may hold calls up, or answer in place of the servers. */
export function consolePhone(
  { url }: { readonly url: string },
  user: string,
  { pass = (send) => send(), wait = () => Promise.resolve() }: Options = {},
) {
  const toApp: Fetch = (address, init) => pass(() => fetch(address, init), (address as string).slice(url.length), init);
  const asConsole: Fetch = (path, init = {}) =>
    toApp(`${url}${path as string}`, {
      ...init,
      headers: { ...init.headers, Authorization: `Bearer ${consoleToken}` },
    });
  const { held, storage } = memoryStorage();
  const phone = createSimulatedPhone(user, {
    app: url,
    call: createCall(createSend(asConsole, createAccess())),
    fetch: toApp,
    wait,
    now: () => 1_000,
    storage,
  });
  return { phone, held };
}

type PaymentSheet = Extract<Sheet, { about: "payment" }>;
type PermissionSheet = Exclude<Sheet, PaymentSheet>;
/** The prompt about this, as soon as it is shown. */
export async function shown(phone: SimulatedPhone, about: Permission): Promise<PermissionSheet>;
export async function shown(phone: SimulatedPhone, about: "payment"): Promise<PaymentSheet>;
export async function shown(phone: SimulatedPhone, about: Sheet["about"]): Promise<Sheet> {
  await expect.poll(() => phone.store.getState().sheet?.about).toBe(about);
  const { sheet } = phone.store.getState();
  if (sheet?.about !== about) throw new Error(`no prompt about ${about}`);
  return sheet;
}
