/** Keeps an icon in the system's tray while there is a panel, which may start later than Hearth, and may end. */
import { setTimeout } from "node:timers/promises";

interface Ports<Icon> {
  /** Whether the system shows icons now; undefined if it does not answer. */
  readonly find: () => Promise<boolean | undefined>;
  readonly create: () => Icon;
  /** Called with a new icon, which has no menu yet. */
  readonly onIcon: () => void;
  readonly ending: AbortSignal;
  readonly firstPauseMs?: number;
}

/** At login, panels come within the first minutes. */
const pauses = 8;

export function keepTray<Icon extends { destroy: () => void }>(ports: Ports<Icon>) {
  const { find, create, onIcon, ending, firstPauseMs = 1_000 } = ports;
  let icon: Icon | undefined;

  /** @returns whether there is an icon now: a window that is hidden without one would be lost */
  async function look(): Promise<boolean> {
    const found = await find();
    // Without an answer, the last result counts.
    if (found === undefined) return icon !== undefined;
    const isFound = found && !ending.aborted;
    if (isFound && icon === undefined) {
      icon = create();
      onIcon();
    } else if (!isFound) {
      icon?.destroy();
      icon = undefined;
    }
    return isFound;
  }

  return {
    look,
    icon: () => icon,
    /** Looks again, at growing intervals, until there is an icon. */
    async lookLater(): Promise<void> {
      for (let round = 0; round < pauses && icon === undefined; round++) {
        await setTimeout(firstPauseMs * 2 ** round, undefined, { signal: ending, ref: false });
        await look();
      }
    },
  };
}
