/** The inputs of `hearth run`, `pull`, `list`, `rm` and `create`. */
import { z } from "zod";
import { argument, listArgument, settingFlags, text, toggle } from "../../process/command-line/inputs.ts";

const service = `The model service is that at --model-port, where OLLAMA_HOST says, or where this machine's Hearth has it. If it \
requires a key, set the variable HEARTH_KEY.`;

const model = (command: string) => argument("MODEL", "the model's name", `${command} needs the name of a model`);
const serviceFlags = settingFlags("model_port", "data_dir");

export const runInput = z.object({ model: model("run"), ...serviceFlags }).describe(service);

export const pullInput = z
  .object({ model: model("pull"), insecure: toggle("ask the registry over plain HTTP"), ...serviceFlags })
  .describe(`An interrupted download goes on where it was. ${service}`);

export const listInput = z.object(serviceFlags).describe(service);

export const removeInput = z
  .object({ models: listArgument("MODEL", "the models' names", "rm needs the name of a model"), ...serviceFlags })
  .describe(service);

export const createInput = z
  .object({
    name: argument("NAME", "the new model's name", "create needs the name of a model"),
    file: text("MODELFILE", "the Modelfile; default ./Modelfile", "f"),
    ...serviceFlags,
  })
  .describe(service);
