import { spawnSync } from "node:child_process";

/** What runs a command in a namespace that has nothing but loopback: nothing in it can be fetched. */
const withoutNetwork = ["unshare", "-rn", "sh", "-c", 'ip link set lo up && exec "$@"', "offline"];
const [unshare = "", ...rest] = withoutNetwork;

export const canBeOffline = process.platform === "linux" && spawnSync(unshare, [...rest, "true"]).status === 0;

/** What stands before a command that is to run without a network; nothing where this machine forbids namespaces. */
export const offline: readonly string[] = canBeOffline ? withoutNetwork : [];
