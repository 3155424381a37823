import { useEffect, useEffectEvent, useState } from "react";

/** A reader who types is not asked a server about each letter. */
const settleMs = 180;

/**
 * The text of a field whose `value` is kept elsewhere, such as in the address: `onSettled` gets what was typed once the typing
 * rests, undefined for nothing. The value may come back late; what was typed since then stays.
 */
export function useSettledText(value: string | undefined, onSettled: (text: string | undefined) => void) {
  const [typed, setTyped] = useState(value ?? "");
  const [reported, setReported] = useState(value ?? "");
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    if ((value ?? "") !== reported) {
      setReported(value ?? "");
      setTyped(value ?? "");
    }
  }
  const report = useEffectEvent((text: string) => {
    // Compared with what was told, not with the value: that may still be on its way.
    if (text === reported) return;
    setReported(text);
    onSettled(text || undefined);
  });
  useEffect(() => {
    const timer = setTimeout(() => report(typed.trim()), settleMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return [typed, setTyped] as const;
}
