import type { ModelDetails } from "../../../contract/model/ollama.ts";
import { detailsOf } from "./gguf/gguf-details.ts";
import type { InstalledModel } from "./installed-model.ts";

const unknownDetails = {
  parent_model: "",
  format: "",
  family: "",
  families: null,
  parameter_size: "",
  quantization_level: "",
};

/** Rules know no limit of the window, but clients want one. */
const rulesDetails = {
  ...unknownDetails,
  format: "rules",
  family: "rules",
  families: ["rules"],
  context_length: 131_072,
};

/** The details of a model in lists and `show`: from its config, or else from its GGUF file. */
export function modelDetails({ path, header, config, parent, remote, rules }: InstalledModel): ModelDetails {
  const read: ModelDetails = rules !== undefined ? rulesDetails : path === "" ? unknownDetails : detailsOf(header);
  const { model_format, model_family, model_families, model_type, file_type } = config ?? {};
  return {
    ...read,
    parent_model: parent ?? "",
    format: model_format || read.format,
    family: model_family || read.family,
    families: model_families === undefined ? read.families : model_families,
    parameter_size: model_type || read.parameter_size,
    quantization_level: file_type || read.quantization_level,
    ...(remote?.contextLength !== undefined && { context_length: remote.contextLength }),
  };
}
