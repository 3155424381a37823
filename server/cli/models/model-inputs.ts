/** The inputs of `hearth run`, `pull`, `list`, `rm` and `create`. */
import { z } from "zod";
import { argument, listArgument, settingFlags, text, toggle } from "../../process/command-line/inputs.ts";

const service = `Uses the model service at --model-port, at OLLAMA_HOST, or of this machine's Hearth, in this order. If it \
requires a key, set HEARTH_KEY.`;

const model = (command: string) => argument("MODEL", "the model's name", `${command} needs the name of a model`);
const serviceFlags = settingFlags("model_port", "data_dir");

export const runInput = z.object({ model: model("run"), ...serviceFlags }).describe(service);

export const pullInput = z
  .object({ model: model("pull"), insecure: toggle("call the registry over plain HTTP"), ...serviceFlags })
  .describe(`An interrupted download continues where it stopped. ${service}`);

export const listInput = z.object(serviceFlags).describe(service);

export const removeInput = z
  .object({ models: listArgument("MODEL", "the models' names", "rm needs the name of a model"), ...serviceFlags })
  .describe(service);

export const createInput = z
  .object({
    name: argument("NAME", "the new model's name", "create needs the name of a model"),
    file: text("MODELFILE", "the Modelfile; default: ./Modelfile", "f"),
    ...serviceFlags,
  })
  .describe(service);
