/** The one process of an instance for tests without a model, where no snapshot has been made yet. */
import { interpretSchemas } from "./kit/snapshot/interpret-schemas.ts";

interpretSchemas();
const { runInstanceProcess } = await import("./instance-process.ts");
await runInstanceProcess();
