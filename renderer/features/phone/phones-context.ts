import { createContext, useContext } from "react";
import type { createPhones } from "./phone.ts";

/** All phones; made in main.tsx. */
export const PhonesContext = createContext<ReturnType<typeof createPhones> | undefined>(undefined);

export function usePhones(): ReturnType<typeof createPhones> {
  const phones = useContext(PhonesContext);
  if (!phones) throw new Error("no PhonesContext above this component");
  return phones;
}
