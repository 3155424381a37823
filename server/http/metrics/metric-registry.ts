/**
 * The metrics of one service, and their text in Prometheus' format 0.0.4. An instrument counts in plain numbers; only
 * the text computes.
 */

export type Labels = Readonly<Record<string, string>>;

export interface Counter {
  add(amount: number, labels?: Labels): void;
}

/** The observations with one set of labels. */
export interface HistogramSeries {
  observe(value: number): void;
}

export interface MetricHistogram {
  /** Keeps the labels for ever, so they must have few values. */
  of(labels: Labels): HistogramSeries;
}

export interface Sample {
  readonly value: number;
  readonly labels?: Labels;
}

type SamplesOf = readonly Sample[] | Promise<readonly Sample[]>;

export const metricsType = "text/plain; version=0.0.4; charset=utf-8";

const escaped = (text: string) => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");

function written(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text).replaceAll('"', '\\"')}"`);
  const number = value === Infinity ? "+Inf" : String(value);
  return `${name}${pairs.length > 0 ? `{${pairs.join(",")}}` : ""} ${number}\n`;
}

const keyOf = (labels: Labels) => Object.values(labels).join("\u0000");

/** Values by their labels; an instrument always has the same names of labels, in the same order. */
function createSeries<Value>(make: () => Value) {
  const series = new Map<string, { readonly labels: Labels; readonly value: Value }>();
  return {
    of(labels: Labels): Value {
      const key = keyOf(labels);
      const found = series.get(key);
      if (found) return found.value;
      const value = make();
      series.set(key, { labels, value });
      return value;
    },
    all: () => [...series.values()],
  };
}

function createHistogramSeries(bounds: readonly number[]) {
  /** By bucket. The last one counts values above all bounds. */
  const counts = new Array<number>(bounds.length + 1).fill(0);
  let sum = 0;
  return {
    observe(value: number): void {
      let bucket = 0;
      while (bucket < bounds.length && value > (bounds[bucket] ?? Infinity)) bucket++;
      counts[bucket] = (counts[bucket] ?? 0) + 1;
      sum += value;
    },
    write(name: string, labels: Labels): string {
      let below = 0;
      const buckets = [...bounds, Infinity].map((bound, at) => {
        below += counts[at] ?? 0;
        return written(`${name}_bucket`, { ...labels, le: bound === Infinity ? "+Inf" : String(bound) }, below);
      });
      return `${buckets.join("")}${written(`${name}_sum`, labels, sum)}${written(`${name}_count`, labels, below)}`;
    },
  };
}

export function createMetricRegistry() {
  const metrics: { readonly head: string; readonly body: () => Promise<string> }[] = [];

  function add(type: string, name: string, help: string, body: () => string | Promise<string>): void {
    metrics.push({ head: `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n`, body: async () => body() });
  }
  const samplesText = (name: string, samples: readonly Sample[]) =>
    samples.map(({ value, labels = {} }) => written(name, labels, value)).join("");

  return {
    /** `name` ends in `_total`, by Prometheus' rules. */
    counter(name: string, help: string): Counter {
      const series = createSeries(() => ({ count: 0 }));
      add("counter", name, help, () =>
        samplesText(
          name,
          series.all().map(({ labels, value }) => ({ labels, value: value.count })),
        ),
      );
      return { add: (amount, labels = {}) => void (series.of(labels).count += amount) };
    },
    /** `bounds`: the upper bounds of the buckets, ascending. */
    histogram(name: string, help: string, bounds: readonly number[]): MetricHistogram {
      const series = createSeries(() => createHistogramSeries(bounds));
      add("histogram", name, help, () =>
        series
          .all()
          .map(({ labels, value }) => value.write(name, labels))
          .join(""),
      );
      return { of: (labels) => series.of(labels) };
    },
    /** A metric whose values are read for each text. */
    read(type: "gauge" | "counter", name: string, help: string, samples: () => SamplesOf): void {
      add(type, name, help, async () => samplesText(name, await samples()));
    },
    /** @throws the error of a failed read */
    async text(): Promise<string> {
      const bodies = await Promise.all(metrics.map(({ body }) => body()));
      return metrics.map(({ head }, at) => `${head}${bodies[at] ?? ""}`).join("");
    },
  };
}
export type MetricRegistry = ReturnType<typeof createMetricRegistry>;
