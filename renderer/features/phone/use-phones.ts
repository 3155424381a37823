import { useStore } from "zustand";
import { serviceKey, useService } from "../../ui/services.ts";
import type { SimulatedPhone, PhoneDeps } from "./phone.ts";
import type { PhoneState } from "./phone-state.ts";

/** The phones so far, by person: kept until the console is closed. */
export interface Phones {
  readonly deps: PhoneDeps;
  readonly made: Map<string, SimulatedPhone>;
}

/** Created in main.tsx; the phone's own code is loaded with its page. */
export const phonesKey = serviceKey<Phones>("phones");
export const usePhones = (): Phones => useService(phonesKey);

export const usePhoneState = (phone: SimulatedPhone): PhoneState => useStore(phone.store);
