import { useEffect, useRef, type RefObject } from "react";

/** The current value, for code that runs after an answer, when more may have been typed. */
export function useLatest<Value>(value: Value): RefObject<Value> {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}
