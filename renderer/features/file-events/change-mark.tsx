import { FilePen, FilePlus2, FileSymlink, FileX2, Settings2 } from "lucide-react";
import type { FileChange } from "../../../server/contract/app/file-events.ts";
import { Badge, type BadgeStyle } from "../../ui/marks/badge.tsx";

const marks: Record<FileChange, BadgeStyle> = {
  create: { tone: "up", icon: FilePlus2 },
  modify: { tone: "info", icon: FilePen },
  attrib: { tone: "neutral", icon: Settings2 },
  move: { tone: "busy", icon: FileSymlink },
  delete: { tone: "down", icon: FileX2 },
};

/** A kind of change, by the word of the wire. */
export function ChangeMark({ ev }: { ev: FileChange }) {
  return <Badge {...marks[ev]}>{ev}</Badge>;
}
