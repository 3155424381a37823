/** Loaded before any schema is made: zod would try to compile code, which the page's content security policy forbids and reports. */
import { z } from "zod";

z.config({ jitless: true });
