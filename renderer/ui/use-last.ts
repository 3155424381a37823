import { useState } from "react";

/** What is shown of `key`; once that is nowhere to be read any more, what was shown last: the user may be changing it. */
export function useLast<Value>(value: Value | undefined, key: unknown): Value | undefined {
  const [last, setLast] = useState({ key, value });
  if (last.key !== key || (value !== undefined && value !== last.value)) setLast({ key, value });
  return value ?? (last.key === key ? last.value : undefined);
}
