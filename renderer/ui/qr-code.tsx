import { useEffect, useState } from "react";
import { unlessGone } from "./lazy-part.ts";
import classes from "./qr-code.module.css";

/** A text as a QR code of `size` pixels; `label` describes its content. */
export function QrCode({ value, label, size }: { value: string; label: string; size: number }) {
  const [made, setMade] = useState<{ value: string; cells: boolean[][] }>();
  useEffect(() => {
    let wanted = true;
    void unlessGone(() => import("qr")).then(({ encodeQR }) => {
      if (wanted) setMade({ value, cells: encodeQR(value, "raw", { ecc: "medium", border: 3 }) });
    });
    return () => {
      wanted = false;
    };
  }, [value]);
  const cells = made?.value === value ? made.cells : [];
  const side = Math.max(1, cells.length);
  return (
    <svg
      role="img"
      aria-label={label}
      className={classes.code}
      width={size}
      height={size}
      viewBox={`0 0 ${side} ${side}`}
      shapeRendering="crispEdges"
    >
      <path d={cells.flatMap(darkSquares).join("")} fill="#000000" />
    </svg>
  );
}

const darkSquares = (row: boolean[], y: number) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""));
