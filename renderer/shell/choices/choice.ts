import type { LucideIcon } from "lucide-react";

/** A choice between a few values, in a menu of the top bar. */
export interface ChoiceProps {
  label: string;
  icon: LucideIcon;
  value: string;
  choices: readonly { value: string; label: string; lang?: string }[];
  onChoose: (value: string) => void;
}
