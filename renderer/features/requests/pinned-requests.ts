import { useLocalStorage } from "@mantine/hooks";
import { z } from "zod";

/** A pinned request; its time distinguishes it from one with the same id in another data directory. */
const pinSchema = z.object({ id: z.number().int(), time: z.string() });
export type Pin = z.infer<typeof pinSchema>;

const mostPins = 20;
const pinsSchema = z.array(pinSchema).catch([]);

/** The pins of this browser, with functions to add and remove them. */
export function usePins() {
  const [pins, setPins] = useLocalStorage<Pin[]>({
    key: "hearth.pinned-requests",
    defaultValue: [],
    getInitialValueInEffect: false,
    deserialize: readPins,
  });
  const isPinned = ({ id, time }: Pin) => pins.some((pin) => pin.id === id && pin.time === time);
  return {
    pins,
    isPinned,
    toggle: ({ id, time }: Pin) =>
      setPins((held) =>
        isPinned({ id, time }) ? held.filter((pin) => pin.id !== id) : [{ id, time }, ...held].slice(0, mostPins),
      ),
  };
}

function readPins(text: string | undefined): Pin[] {
  try {
    return pinsSchema.parse(JSON.parse(text ?? "[]"));
  } catch {
    return [];
  }
}
