interface Schema {
  readonly _zod: { traits: ReadonlySet<string>; parent?: Schema | undefined; readonly constr: unknown };
}

interface Zod {
  /** zod's own, once it is loaded: the metadata of schemas. */
  readonly __zod_globalRegistry?: { has(schema: Schema): boolean };
}

/**
 * Keeps zod from compiling schemas, which pays off after hundreds of requests; a test sends few. Schemas of a class share
 * the set of its traits, and a schema made from others, such as `z.string().min(1)`, forgets those without metadata. Both
 * make a snapshot smaller. Call it before zod is loaded.
 */
export function interpretSchemas(): void {
  const traitsOf = new Map<unknown, ReadonlySet<string>>();
  let last: Schema | undefined;
  /** zod names the parent only after it has passed the schema. */
  function forgetParents({ _zod: schema }: Schema): void {
    const metadata = (globalThis as Zod).__zod_globalRegistry;
    while (schema.parent && metadata?.has(schema.parent) === false) schema.parent = schema.parent._zod.parent;
  }
  const postProcessor = (made: Schema) => {
    const { _zod: schema } = made;
    const shared = traitsOf.get(schema.constr);
    if (shared) schema.traits = shared;
    else traitsOf.set(schema.constr, schema.traits);
    if (last) forgetParents(last);
    last = made;
  };
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true, postProcessor } });
}
