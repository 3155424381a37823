import { createContext, useContext } from "react";
import type { Phone, PhoneDeps } from "./phone.ts";

/** The phones that were made so far, by whose they are: kept until the console is closed. */
export interface Phones {
  readonly deps: PhoneDeps;
  readonly made: Map<string, Phone>;
}

/** Made in main.tsx; what a phone is made of is fetched with its page. */
export const PhonesContext = createContext<Phones | undefined>(undefined);

export function usePhones(): Phones {
  const phones = useContext(PhonesContext);
  if (!phones) throw new Error("no PhonesContext above this component");
  return phones;
}
