import { useFormats } from "../../i18n/formats-context.tsx";
import { useTicking } from "./ticker.ts";

/** "5 min ago", kept current; the exact time on hover. */
export function RelativeTime({ iso }: { iso: string }) {
  const formats = useFormats();
  const text = useTicking((now) => formats.relative(iso, now), "minute");
  return (
    <time dateTime={iso} title={formats.exact(iso)}>
      {text}
    </time>
  );
}
