import { Textarea } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { CircleSlash, Eye } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../ui/marks/badge.tsx";
import { Notice } from "../../ui/dialogs/notice.tsx";
import { usePatternMatches } from "./use-watched-folders.ts";
import classes from "./file-events.module.css";

/** Delays the request, which each keystroke would send otherwise. */
const settleMs = 250;
const maxVisible = 200;

/** Previews what the patterns exclude from the folder's content or from typed paths. It changes nothing. */
export function PatternTest(props: {
  path: string;
  exclude: string[];
  sample: string;
  samplePaths: string[];
  onSample: (sample: string) => void;
}) {
  const { t } = useTranslation();
  const [asked] = useDebouncedValue(JSON.stringify([props.path, props.exclude, props.samplePaths]), settleMs);
  const [path, exclude, sample] = JSON.parse(asked) as [string, string[], string[]];
  const { data, error } = usePatternMatches(path, exclude, sample);
  return (
    <section aria-label={t("fileEvents.test")} className={classes.test}>
      <Textarea
        label={t("fileEvents.test")}
        description={t("fileEvents.testHint")}
        autosize
        minRows={1}
        maxRows={6}
        value={props.sample}
        onChange={(event) => props.onSample(event.currentTarget.value)}
        classNames={{ input: classes.wire ?? "" }}
      />
      {error && <Notice kind="error">{error.message}</Notice>}
      {data && !error && (
        <>
          <p className={classes.dim}>
            {t("fileEvents.testCount", {
              excluded: data.matches.filter(({ excluded }) => excluded).length,
              count: data.matches.length,
            })}{" "}
            {!data.complete && t("fileEvents.testCut")}
          </p>
          <ul className={classes.matches}>
            {data.matches.slice(0, maxVisible).map((match) => (
              <li key={match.path} className={classes.match}>
                <Badge tone={match.excluded ? "neutral" : "up"} icon={match.excluded ? CircleSlash : Eye}>
                  {match.excluded ? t("fileEvents.leftOut") : t("fileEvents.watched")}
                </Badge>
                <span className={classes.path} title={match.path}>
                  <bdi>{match.path}</bdi>
                </span>
                {match.pattern !== undefined && <code className={classes.pattern}>{match.pattern}</code>}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
