import type { Wire } from "./model-service.ts";

/** All that comes, in order. */
export async function collect(stream: AsyncIterable<Wire>): Promise<Wire[]> {
  const all: Wire[] = [];
  for await (const one of stream) all.push(one);
  return all;
}
