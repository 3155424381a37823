/** The one process of an instance for tests without a model. */

// Schemas that compile themselves pay off after hundreds of requests; a test sends few. Set before zod is loaded.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
await import("./instance-process.ts");
