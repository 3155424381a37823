/** The inputs of `hearth devices` and its actions. */
import { z } from "zod";
import { argument, settingFlags, text, toggle } from "../../process/command-line/inputs.ts";

const dataDir = settingFlags("data_dir");

export const showDevicesInput = z.object(dataDir);

export const openToDevicesInput = z.object({
  interface: text("NAME", "the network interface; default the likeliest one"),
  services: text("LIST", "what they reach: app, provider, model, separated by commas; default app"),
  everyone: toggle("let everybody in who is on this network, until this machine leaves it"),
  ...dataDir,
});

export const letInInput = z.object({
  id: argument("ID", "the device's id", "let-in needs the id of a device"),
  ...dataDir,
});

export const forgetDeviceInput = z.object({
  id: argument("ID", "the device's id", "remove needs the id of a device"),
  ...dataDir,
});

export type OpenToDevicesInput = z.output<typeof openToDevicesInput>;
