import { useSyncExternalStore } from "react";
import type { Phone } from "./phone.ts";
import type { PhoneState } from "./phone-state.ts";

export const usePhoneState = (phone: Phone): PhoneState => useSyncExternalStore(phone.subscribe, phone.state);
