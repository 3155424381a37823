import { useEffect, useRef, type RefObject } from "react";

/** A value as it is shown now, for what goes on later: an answer, by which more may have been typed. */
export function useLatest<Value>(value: Value): RefObject<Value> {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}
