/** A provider that does not answer, answers late, or lies; and a receiver that nobody reaches. */
import { setTimeout as wait } from "node:timers/promises";
import type { Draw } from "../draw.ts";
import type { Fault } from "../fault.ts";
import type { World } from "../world.ts";

async function armed(world: World, draw: Draw, fault: object): Promise<void> {
  await world.sim("PUT", "/faults", { faults: [fault] });
  await wait(draw.between(300, 1_500));
  await world.sim("PUT", "/faults", { faults: [] });
}

const when = ["before", "after"] as const;

export const providerFaults: readonly Fault[] = [
  {
    name: "provider: gone",
    happen: (world, draw) => armed(world, draw, { kind: "reset", params: { when: draw.one(when) } }),
  },
  {
    name: "provider: slow",
    happen: (world, draw) =>
      armed(world, draw, { kind: "slow_answer", params: { delay_ms: draw.between(200, 2_000), when: draw.one(when) } }),
  },
  {
    name: "provider: lying",
    happen: (world, draw) =>
      armed(
        world,
        draw,
        draw.one<object>([
          { kind: "reply_signature", params: { how: draw.one(["changed_sign", "changed_body", "missing"]) } },
          // Not an end, which the provider could mean.
          { kind: "trade_state", params: { state: draw.one(["NOTPAY", "USERPAYING"]) } },
          { kind: "truncated_body", params: {} },
          { kind: "http_status", params: { when: draw.one(when) } },
        ]),
      ),
  },
  {
    name: "receiver of notifications: gone",
    async happen({ notifications, leadHome }, draw) {
      notifications.leadTo(undefined);
      await wait(draw.between(300, 1_500));
      leadHome();
    },
  },
  {
    name: "receiver of file events: gone",
    async happen({ fileEvents, leadHome }, draw) {
      fileEvents.leadTo(undefined);
      await wait(draw.between(300, 1_500));
      leadHome();
    },
  },
];
