/**
 * Keeps zod from compiling schemas, which pays off after hundreds of requests; a test sends few. Call it before zod is
 * loaded.
 */
export const interpretSchemas = (): void => void Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
