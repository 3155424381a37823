import { BaseEdge, useInternalNode, type EdgeProps, type InternalNode } from "@xyflow/react";

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The gap between a line and its target box, in pixels. */
const gap = 3;

function boxOf({ internals: { positionAbsolute }, measured: { width = 0, height = 0 } }: InternalNode) {
  const { x, y } = positionAbsolute;
  return { x: x + width / 2, y: y + height / 2, halfWidth: width / 2 + gap, halfHeight: height / 2 + gap };
}

/** Where the line from the centre of a box to a point crosses its border. */
function leaves(box: ReturnType<typeof boxOf>, to: Point): Point {
  const [dx, dy] = [to.x - box.x, to.y - box.y];
  const scale = Math.min(box.halfWidth / Math.abs(dx || 1e-9), box.halfHeight / Math.abs(dy || 1e-9));
  return { x: box.x + dx * scale, y: box.y + dy * scale };
}

/** A straight line between the borders of two boxes. */
export function BorderEdge({ source, target, ...edge }: EdgeProps) {
  const [from, to] = [useInternalNode(source), useInternalNode(target)];
  if (!from || !to) return null;
  const [a, b] = [boxOf(from), boxOf(to)];
  const [start, end] = [leaves(a, b), leaves(b, a)];
  const path = `M ${start.x} ${start.y} L ${end.x} ${end.y}`;
  return <BaseEdge id={edge.id} path={path} {...(edge.markerEnd !== undefined && { markerEnd: edge.markerEnd })} />;
}
