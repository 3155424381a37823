import { useEffect, useEffectEvent, useState } from "react";

/** Waits for a pause in typing, so that not every letter causes a request. */
const settleMs = 180;

/**
 * The text of a field whose `value` is stored elsewhere, such as in the address. `onSettled` receives the typed text
 * after a pause in typing, undefined for an empty one. The value may return late; newer typing is kept.
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
    // Compared with the reported text, because the value may still be on its way.
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
