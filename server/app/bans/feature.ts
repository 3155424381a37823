import type { EventKernel, Feature } from "../../kernel/feature.ts";
import { createBanList, type BanList, type BanTables } from "./ban-list.ts";
import { bansConsoleRoutes } from "./bans-console-routes.ts";

/** IP addresses that the API answers 403. */
export const bansFeature: Feature<EventKernel<BanTables>, unknown, BanList> = {
  name: "bans",
  consoleTags: { bans: "IP addresses that the API refuses with 403." },
  async open({ database, clock: { now }, log }) {
    const onError = (error: unknown) => log.error({ err: error }, "bans cannot be read");
    const list = await createBanList({ database, now, onError });
    return { consoleRoutes: bansConsoleRoutes(list), port: list };
  },
};
