import { homedir } from "node:os";

/** The path with a leading `~` as the user's home, as shells read it. */
export const homePath = (path: string): string => path.replace(/^~(?=$|[/\\])/, () => homedir());
