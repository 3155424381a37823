import type { LucideIcon } from "lucide-react";

/** One of a few, as a menu of the top bar offers it. */
export interface ChoiceProps {
  label: string;
  icon: LucideIcon;
  value: string;
  choices: readonly { value: string; label: string; lang?: string }[];
  onChoose: (value: string) => void;
}
