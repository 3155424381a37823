/** Tells the first at once, and of what comes within `ms` after it the last one only. */
export function createPace<Value>(ms: number, tell: (value: Value) => void) {
  let timer: NodeJS.Timeout | undefined;
  let latest: { readonly value: Value } | undefined;

  function next(): void {
    timer = undefined;
    if (!latest) return;
    const { value } = latest;
    latest = undefined;
    begin(value);
  }
  function begin(value: Value): void {
    timer = setTimeout(next, ms).unref();
    tell(value);
  }
  return {
    tell(value: Value): void {
      if (timer) latest = { value };
      else begin(value);
    },
    stop: () => clearTimeout(timer),
  };
}
