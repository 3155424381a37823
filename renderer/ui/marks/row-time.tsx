import { useFormats } from "../../i18n/formats-context.tsx";
import { useTicking } from "./ticker.ts";

/** A row's time to the millisecond; how long ago, and its day, on hover. */
export function RowTime({ iso }: { iso: string }) {
  const formats = useFormats();
  const ago = useTicking((now) => formats.relative(iso, now), "minute");
  const text = useTicking((now) => formats.rowTime(iso, now), "minute");
  return (
    <time dateTime={iso} title={`${ago} · ${formats.exact(iso)}`}>
      {text}
    </time>
  );
}
