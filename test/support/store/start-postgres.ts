/** Once before the tests that run on PostgreSQL: a server that their application servers and simulators share. */
import type { TestProject } from "vitest/node";
import { startPostgres } from "./postgres-server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Folder of the server's socket. */
    postgres?: string;
  }
}

export default async function startForProject(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  project.provide("postgres", server.folder);
  return async () => server[Symbol.asyncDispose]();
}
