/** The inputs of `hearth devices` and its actions. */
import { z } from "zod";
import { argument, settingFlags, text, toggle } from "../../process/command-line/inputs.ts";

const dataDir = settingFlags("data_dir");

export const showDevicesInput = z.object(dataDir);

export const openToDevicesInput = z.object({
  interface: text("NAME", "network interface; default: chosen automatically"),
  services: text("LIST", "available services: app, provider, model, separated by commas; default: app"),
  everyone: toggle("allow every device on this network until this machine leaves it"),
  ...dataDir,
});

export const letInInput = z.object({
  id: argument("ID", "the device's id", "let-in needs a device id"),
  ...dataDir,
});

export const forgetDeviceInput = z.object({
  id: argument("ID", "the device's id", "remove needs a device id"),
  ...dataDir,
});

export type OpenToDevicesInput = z.output<typeof openToDevicesInput>;
