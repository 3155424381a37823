import "@mantine/charts/styles.layer.css";
import { LineChart } from "@mantine/charts";
import { useFormats } from "../i18n/formats-context.tsx";
import type { Tone } from "./badge.tsx";

export interface TimeLine {
  /** The member of each point that holds the value. */
  key: string;
  label: string;
  tone: Tone;
}

export interface TimeLinesProps {
  /** Sorted by time; `at` in milliseconds since 1970. A null member is a gap in its line. */
  points: readonly ({ at: number } & Record<string, number | null>)[];
  lines: readonly TimeLine[];
  /** Formats a value for the axis and the tooltip. */
  format: (value: number) => string;
  height: number;
}

const colours = {
  up: "var(--hearth-up)",
  busy: "var(--hearth-busy)",
  down: "var(--hearth-down)",
  info: "var(--hearth-info)",
  neutral: "var(--mantine-color-dimmed)",
};
/** Dashes distinguish lines for users who cannot distinguish colours. */
const dashes = ["0", "5 3", "2 2"];

export function TimeLines({ points, lines, format, height }: TimeLinesProps) {
  const formats = useFormats();
  return (
    <LineChart
      h={height}
      data={[...points]}
      dataKey="at"
      series={lines.map(({ key, label, tone }, index) => ({
        name: key,
        label,
        color: colours[tone],
        strokeDasharray: dashes[index % dashes.length] ?? "0",
      }))}
      curveType="linear"
      strokeWidth={1.5}
      withDots={false}
      connectNulls={false}
      gridAxis="x"
      tickLine="none"
      strokeDasharray="2 4"
      valueFormatter={format}
      accessibilityLayer={false}
      withLegend={lines.length > 1}
      legendProps={{ verticalAlign: "top", height: 28 }}
      lineProps={{ isAnimationActive: false }}
      xAxisProps={{ tickFormatter: (at: number) => formats.clock(at), minTickGap: 48 }}
      yAxisProps={{ width: 52, tickCount: 3, allowDecimals: true, domain: [0, "auto"] }}
      tooltipProps={{
        labelFormatter: (at) => (typeof at === "number" ? formats.clock(at) : ""),
        isAnimationActive: false,
      }}
    />
  );
}
