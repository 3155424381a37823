import { useState } from "react";

/** The first of many rows, and what shows more of them. `more` is how many that would be. */
export function useFirstRows<Row>(rows: readonly Row[], step: number) {
  const [most, setMost] = useState(step);
  const showMore = () => setMost((before) => before + step);
  return { shown: rows.slice(0, most), more: Math.min(step, Math.max(0, rows.length - most)), showMore };
}
