/** A program that runs operations, from its arguments, in its folder. */
import { callAll, randomOperations } from "./disk-operations.ts";

const [count = "", seed = "", withMounts = ""] = process.argv.slice(2);
callAll(randomOperations(Number(count), Number(seed), withMounts === "true"));
