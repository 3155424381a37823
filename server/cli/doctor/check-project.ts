import { projectAddresses } from "../../process/settings/project-addresses.ts";
import { findings, type DoctorCheck } from "./check.ts";

/** Names the addresses in the working directory's file, which may be untrusted. */
export const checkProject: DoctorCheck = async function* ({ settings, origins }) {
  const addresses = projectAddresses(settings, origins);
  if (addresses !== undefined) yield findings("project").warning(addresses);
};
