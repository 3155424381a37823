/** Before each test file: windows of files that run at the same time share neither clipboard nor focus. */
import { inject } from "vitest";

const displays = inject("displays");
const own = displays[Number(process.env["VITEST_POOL_ID"] ?? 0) % displays.length];
if (own !== undefined) process.env["DISPLAY"] = own;
