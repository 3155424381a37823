import type { faults as english } from "../en/faults.ts";
import type { Texts } from "../texts.ts";

export const faults: Texts<typeof english> = {
  title: "故障",
};
