/** The refusal of images: the engine here reads none, but models of upstreams may. */
import type { InstalledModel } from "../models/library/installed-model.ts";
import { fullName, shortName } from "../models/library/model-name.ts";
import { OllamaError } from "../ollama-error.ts";

/** The most models that the refusal names. */
const mostNamed = 5;

/** The models of upstreams that are known to read images, as text. */
function modelsWithVision(models: readonly InstalledModel[]): string | undefined {
  const found = models.flatMap(({ name, remote }) =>
    remote?.capabilities.includes("vision") === true
      ? [`${JSON.stringify(shortName(name))} (${remote.upstreams.join(", ")})`]
      : [],
  );
  const more = found.length - mostNamed;
  const named = [...found.slice(0, mostNamed), ...(more > 0 ? [`${String(more)} more`] : [])];
  return named.length === 0 ? undefined : new Intl.ListFormat("en", { type: "disjunction" }).format(named);
}

/** `remoteModels`: those of all upstreams. */
export async function lacksVision(
  model: InstalledModel,
  remoteModels: () => Promise<readonly InstalledModel[]>,
): Promise<OllamaError> {
  const able = modelsWithVision(await remoteModels());
  const advice = able === undefined ? "Add an upstream with a vision model." : `Use a model of an upstream: ${able}.`;
  return new OllamaError(
    400,
    `${fullName(model.name)} does not support vision: Hearth's engine does not support images. ${advice}`,
  );
}
