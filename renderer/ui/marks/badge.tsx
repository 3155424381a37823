import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import classes from "./badge.module.css";

export type Tone = "up" | "busy" | "down" | "info" | "neutral";

/** The appearance of a state. */
export interface BadgeStyle {
  readonly tone: Tone;
  readonly icon: LucideIcon;
}

/** A word for a state. Its colour only repeats the meaning of the word and the icon. */
export function Badge(props: { tone: Tone; icon?: LucideIcon; children: ReactNode }) {
  const Icon = props.icon;
  return (
    <span className={classes.badge} data-tone={props.tone}>
      {Icon && <Icon size={11} strokeWidth={2.25} aria-hidden />}
      <span className={classes.text}>{props.children}</span>
    </span>
  );
}
