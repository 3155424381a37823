/** Shows the progress of long work in the last line of a terminal; nothing elsewhere. */

export interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Moves to the beginning of a terminal's line, and clears it. */
export const rewriteLine = "\r\u001B[K";

export function percentText(status: string, done: number, total: number): string {
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
  return `${status}  ${String(percent).padStart(3)} %`;
}

const showEveryMs = 100;

export function progressOn(out: Output) {
  let status = "";
  let shownAt = 0;
  return {
    /** `done` of `total`, in any unit. */
    show(this: void, next: string, done: number, total: number): void {
      const at = performance.now();
      if (out.isTTY !== true || (next === status && at - shownAt < showEveryMs)) return;
      [status, shownAt] = [next, at];
      out.write(`${rewriteLine}${percentText(status, done, total)}`);
    },
    clear(): void {
      if (status === "") return;
      status = "";
      out.write(rewriteLine);
    },
  };
}
