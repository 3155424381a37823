/** Emits the first value at once, and only the last one of those that come within `ms` after it. */
export function createThrottle<Value>(ms: number, emit: (value: Value) => void) {
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
    emit(value);
  }
  return {
    push(value: Value): void {
      if (timer) latest = { value };
      else begin(value);
    },
    stop: () => clearTimeout(timer),
  };
}
