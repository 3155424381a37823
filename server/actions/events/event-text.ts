import type { CloudEvent } from "../../contract/console/traffic/stored-event.ts";
import { alignColumns, clockTime } from "../text-columns.ts";

const mostCharacters = 160;

export const printEvents = (events: readonly CloudEvent[]): string =>
  alignColumns(
    events.map(({ id, time, type, data }) => [
      id.padStart(5),
      clockTime(time),
      type.padEnd("collection.removed".length),
      JSON.stringify(data).slice(0, mostCharacters),
    ]),
  );
