import { ActionIcon, Slider } from "@mantine/core";
import { Pause, Play } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { BodyView } from "../../../ui/code/body-view.tsx";
import { LongText } from "../../../ui/code/long-text.tsx";
import { Segmented } from "../../../ui/forms/segmented.tsx";
import { arrivedBy, textIn, type Piece } from "./stream-pieces.ts";
import classes from "../requests.module.css";

const speeds = ["1", "4", "16"] as const;
type View = "text" | "wire";

/** A streamed answer, with a replay of its arrival. */
export function StreamReplay(props: {
  pieces: readonly Piece[];
  totalMs: number;
  contentType: string | undefined;
  label: string;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { pieces, totalMs, label } = props;
  const player = usePlayer(Math.max(totalMs, pieces.at(-1)?.ms ?? 0));
  const { at, playing } = player;
  const [view, setView] = useState<View>("text");
  const arrived = arrivedBy(pieces, at);
  const wire = pieces
    .slice(0, arrived)
    .map(({ text }) => text)
    .join("");
  const isComplete = arrived === pieces.length;
  const isModel = useMemo(() => textIn(pieces.map(({ text }) => text).join("")) !== undefined, [pieces]);
  return (
    <div className={classes.stack}>
      <Player player={player} />
      <div className={classes.playerState}>
        <span className={classes.dim}>
          {t("requests.streamState", { arrived, count: pieces.length, time: formats.duration(at) })}
        </span>
        {isModel && (
          <Segmented
            label={t("requests.streamView")}
            value={view}
            choices={[
              { value: "text", label: t("requests.streamSaid") },
              { value: "wire", label: t("requests.streamWire") },
            ]}
            onChange={setView}
          />
        )}
      </div>
      {isModel && view === "text" ? (
        <p className={classes.said} role="group" tabIndex={0} aria-label={label}>
          <LongText text={textIn(wire) ?? ""} />
        </p>
      ) : isComplete && !playing ? (
        <BodyView text={wire} mediaType={props.contentType} label={label} />
      ) : (
        <pre className={classes.arriving} tabIndex={0} aria-label={label}>
          <LongText text={wire} />
        </pre>
      )}
    </div>
  );
}

function Player({ player }: { player: ReturnType<typeof usePlayer> }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { at, end, playing, speed } = player;
  return (
    <div className={classes.player}>
      <ActionIcon
        variant="default"
        aria-label={t(playing ? "common.pause" : "requests.replayStream")}
        onClick={player.toggle}
      >
        {playing ? <Pause size={13} aria-hidden /> : <Play size={13} aria-hidden />}
      </ActionIcon>
      <Slider
        className={classes.playerTime}
        size="xs"
        thumbLabel={t("requests.streamTime")}
        label={(ms) => formats.duration(ms)}
        min={0}
        max={end}
        step={end / 1_000}
        value={at}
        onChange={player.moveTo}
      />
      <Segmented
        label={t("requests.speed")}
        value={speed}
        choices={speeds.map((value) => ({ value, label: `${value}×` }))}
        onChange={player.setSpeed}
      />
    </div>
  );
}

/** A clock from 0 to `end` ms that can be started, paused and moved. */
function usePlayer(end: number) {
  const [at, setAt] = useState(end);
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<(typeof speeds)[number]>("1");
  useEffect(() => {
    if (!playing) return;
    let last = performance.now();
    let frame = requestAnimationFrame(function step(now) {
      const passed = (now - last) * Number(speed);
      last = now;
      setAt((before) => {
        if (before + passed < end) return before + passed;
        setPlaying(false);
        return end;
      });
      frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [playing, speed, end]);
  return {
    at,
    end,
    playing,
    speed,
    setSpeed,
    /** Plays or pauses; at the end it plays from the beginning. */
    toggle: () => {
      if (!playing && at >= end) setAt(0);
      setPlaying(!playing);
    },
    moveTo: (ms: number) => {
      setPlaying(false);
      setAt(ms);
    },
  };
}
