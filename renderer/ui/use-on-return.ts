import { useEffect, useEffectEvent } from "react";

const moments = ["focus", "visibilitychange"] as const;

/** Runs when the user comes back to the page from another tab, window or program, in which something may have changed. */
export function useOnReturn(run: () => void): void {
  const onReturn = useEffectEvent(() => {
    if (document.visibilityState === "visible") run();
  });
  useEffect(() => {
    const listen = () => onReturn();
    for (const moment of moments) addEventListener(moment, listen);
    return () => moments.forEach((moment) => removeEventListener(moment, listen));
  }, []);
}
