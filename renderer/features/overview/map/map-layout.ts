/** Where the parts of the live map and the arrows between them lie, in pixels. */
import type { Traffic } from "../../../../server/contract/console/traffic/histogram.ts";

export type MapNode = "client" | "app" | "provider" | "console" | "model" | "watcher";
export type MapEdge = Traffic["edges"][number];
export type EdgeKey = `${MapEdge["sender"]} ${MapEdge["service"]}`;

export const nodeSize = { width: 152, height: 64 };
export const mapHeight = 312;
/** With less room, the arrows' labels would lie on the nodes. */
export const narrowestMap = 660;

const tops = { upper: 112, lower: 262 };

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The centres of the nodes. */
export function nodeCentres(width: number): Record<MapNode, Point> {
  const [left, middle, right] = [nodeSize.width / 2 + 1, width / 2, width - nodeSize.width / 2 - 1];
  return {
    client: { x: left, y: tops.upper },
    app: { x: middle, y: tops.upper },
    provider: { x: right, y: tops.upper },
    console: { x: left, y: tops.lower },
    model: { x: middle, y: tops.lower },
    watcher: { x: right, y: tops.lower },
  };
}

export interface Arrow {
  readonly key: EdgeKey;
  readonly path: string;
  readonly label: Point;
}

const radius = 14;
/** Half of the distance between the two arrows of a pair. */
const apart = 16;

/** An arrow for each way that requests take in Hearth. */
export function arrowsOf(width: number): Arrow[] {
  const places = nodeCentres(width);
  const [halfWidth, halfHeight] = [nodeSize.width / 2, nodeSize.height / 2];
  const along = (key: EdgeKey, from: MapNode, to: MapNode, shift: number): Arrow => {
    const [a, b] = [places[from], places[to]];
    const side = Math.sign(b.x - a.x) * halfWidth;
    const y = a.y + shift;
    const [begin, end] = [a.x + side, b.x - side];
    return { key, path: `M${begin} ${y}H${end}`, label: { x: (begin + end) / 2, y } };
  };
  const across = (key: EdgeKey, begin: Point, end: Point): Arrow => {
    const half = { x: (begin.x + end.x) / 2, y: (begin.y + end.y) / 2 };
    const path = `M${begin.x} ${begin.y}C${half.x} ${begin.y} ${half.x} ${end.y} ${end.x} ${end.y}`;
    return { key, path, label: half };
  };
  /** Arrives from below. */
  const upTo = (key: EdgeKey, begin: Point, end: Point): Arrow => {
    const [first, second] = [
      { x: (begin.x + end.x) / 2, y: begin.y },
      { x: end.x, y: end.y + 56 },
    ];
    const half = (axis: keyof Point) => (begin[axis] + 3 * first[axis] + 3 * second[axis] + end[axis]) / 8;
    const path = `M${begin.x} ${begin.y}C${first.x} ${first.y} ${second.x} ${second.y} ${end.x} ${end.y}`;
    return { key, path, label: { x: half("x"), y: half("y") } };
  };
  const { client, provider, app, model, watcher } = places;
  const over = { top: 28, y: client.y - halfHeight };
  const overPath =
    `M${client.x} ${over.y}V${over.top + radius}Q${client.x} ${over.top} ${client.x + radius} ${over.top}` +
    `H${provider.x - radius}Q${provider.x} ${over.top} ${provider.x} ${over.top + radius}V${over.y}`;
  const cornerY = halfHeight - 12;
  return [
    { key: "client provider", path: overPath, label: { x: app.x, y: over.top } },
    along("client app", "client", "app", 0),
    along("app provider", "app", "provider", -apart),
    along("provider app", "provider", "app", apart),
    across(
      "client model",
      { x: client.x + halfWidth, y: client.y + cornerY },
      { x: model.x - halfWidth, y: model.y - cornerY },
    ),
    along("console model", "console", "model", apart),
    upTo(
      "watcher app",
      { x: watcher.x - halfWidth, y: watcher.y - halfHeight + 10 },
      { x: app.x + halfWidth - 28, y: app.y + halfHeight },
    ),
  ];
}
