type Plain = Readonly<Record<string, unknown>>;

/** The members with plain values, under their names on the wire. */
export const plainFields = (record: Plain) =>
  Object.entries(record)
    .filter(([, value]) => value !== undefined && value !== null && typeof value !== "object")
    .map(([name, value]) => ({ name, value: String(value), wire: true }));
