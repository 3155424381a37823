/** A fault that hit a call or a delivery. */
export interface FaultRef {
  readonly id: number;
  readonly kind: string;
}

/** The marks of faults on a recorded request. */
export const faultMarks = (faults: readonly FaultRef[]) =>
  faults.map(({ id, kind }) => ({ key: `sim-${String(id)}`, kind }));
