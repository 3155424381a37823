import { useState } from "react";

/** The value of `key`, or its last value after it has disappeared, because the user may be changing it. */
export function useLast<Value>(value: Value | undefined, key: unknown): Value | undefined {
  const [last, setLast] = useState({ key, value });
  if (last.key !== key || (value !== undefined && value !== last.value)) setLast({ key, value });
  return value ?? (last.key === key ? last.value : undefined);
}
