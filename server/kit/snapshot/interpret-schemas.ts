interface Schema {
  readonly _zod: { traits: ReadonlySet<string>; readonly constr: unknown };
}

/**
 * Keeps zod from compiling schemas, which pays off after hundreds of requests; a test sends few. Schemas of a class share
 * the set of its traits, which makes a snapshot smaller. Call it before zod is loaded.
 */
export function interpretSchemas(): void {
  const traitsOf = new Map<unknown, ReadonlySet<string>>();
  const postProcessor = ({ _zod: schema }: Schema) => {
    const shared = traitsOf.get(schema.constr);
    if (shared) schema.traits = shared;
    else traitsOf.set(schema.constr, schema.traits);
  };
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true, postProcessor } });
}
