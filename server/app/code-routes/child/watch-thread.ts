/** The thread that ends its process: the main thread of that may loop. */
import { Socket } from "node:net";

/** The limit of the whole process: buffers, and its heap, which has a limit of its own. */
const mostBytes = 512 * 1024 * 1024;
const lookEveryMs = 100;
/** A pipe that ends with the application server. */
const parentPipe = 4;

const end = () => process.kill(process.pid, "SIGKILL");

setInterval(() => {
  if (process.memoryUsage.rss() > mostBytes) end();
}, lookEveryMs);
new Socket({ fd: parentPipe }).on("close", end).on("error", end).resume();
