import { useRef } from "react";

/**
 * Ignores calls while the last one is under way: the second of two quick clicks comes before a button can show that
 * it is busy. The work reports its own failures.
 */
export function useOneAtATime<Args extends unknown[]>(work: (...args: Args) => Promise<unknown>) {
  const isUnderWay = useRef(false);
  return (...args: Args): void => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    const end = () => void (isUnderWay.current = false);
    void work(...args).then(end, end);
  };
}
