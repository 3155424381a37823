import { projectAddresses } from "../../process/settings/project-addresses.ts";
import { findings, type Check } from "./check.ts";

/** Names the addresses in the working directory's file, which may be anybody's. */
export const checkProject: Check = async function* ({ settings, origins }) {
  const addresses = projectAddresses(settings, origins);
  if (addresses !== undefined) yield findings("project").warning(addresses);
};
