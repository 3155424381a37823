import { defaultHost, type ModelName } from "../library/model-name.ts";

/**
 * The registry that has the model: the one in its name, or the mirror that stands in for it. A mirror with `{host}` stands
 * in for every registry, another one for the default registry.
 */
export function registryBase({ host }: ModelName, scheme: "http" | "https", mirror: string | undefined): URL {
  const isMirrored = mirror !== undefined && (host === defaultHost || mirror.includes("{host}"));
  return new URL(isMirrored ? mirror.replaceAll("{host}", () => host) : `${scheme}://${host}`);
}
