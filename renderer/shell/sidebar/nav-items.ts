import {
  Activity,
  ArrowLeftRight,
  BookOpen,
  Boxes,
  Code,
  FolderSync,
  FolderUp,
  LayoutDashboard,
  ListChecks,
  MessageSquare,
  Router,
  Settings,
  Smartphone,
  Table2,
  TriangleAlert,
  Users,
  WalletCards,
  type LucideIcon,
} from "lucide-react";
import type { LinkProps } from "@tanstack/react-router";

export interface NavItem {
  to: Exclude<LinkProps["to"], undefined | "" | "." | "..">;
  label:
    | "overview"
    | "requests"
    | "events"
    | "phone"
    | "users"
    | "payments"
    | "faults"
    | "collections"
    | "uploads"
    | "fileEvents"
    | "chat"
    | "models"
    | "apiDocs"
    | "guides"
    | "fidelity"
    | "devices"
    | "settings";
  icon: LucideIcon;
  /** The letter that opens the page after `g`. */
  letter: string;
}

export interface NavGroup {
  label: "observe" | "simulate" | "data" | "model" | "docs" | "hearth";
  items: readonly NavItem[];
}

/** The pages by group, in the sidebar's order; the labels are keys under `nav`. */
export const navGroups: readonly NavGroup[] = [
  {
    label: "observe",
    items: [
      { to: "/", label: "overview", icon: LayoutDashboard, letter: "o" },
      { to: "/requests", label: "requests", icon: ArrowLeftRight, letter: "r" },
      { to: "/events", label: "events", icon: Activity, letter: "e" },
    ],
  },
  {
    label: "simulate",
    items: [
      { to: "/phone", label: "phone", icon: Smartphone, letter: "h" },
      { to: "/users", label: "users", icon: Users, letter: "u" },
      { to: "/payments", label: "payments", icon: WalletCards, letter: "p" },
      { to: "/faults", label: "faults", icon: TriangleAlert, letter: "f" },
    ],
  },
  {
    label: "data",
    items: [
      { to: "/collections", label: "collections", icon: Table2, letter: "d" },
      { to: "/uploads", label: "uploads", icon: FolderUp, letter: "l" },
      { to: "/file-events", label: "fileEvents", icon: FolderSync, letter: "w" },
    ],
  },
  {
    label: "model",
    items: [
      { to: "/chat", label: "chat", icon: MessageSquare, letter: "c" },
      { to: "/models", label: "models", icon: Boxes, letter: "m" },
    ],
  },
  {
    label: "docs",
    items: [
      { to: "/api-docs", label: "apiDocs", icon: Code, letter: "a" },
      { to: "/guides", label: "guides", icon: BookOpen, letter: "b" },
      { to: "/fidelity", label: "fidelity", icon: ListChecks, letter: "i" },
    ],
  },
];

/** At the foot of the sidebar. */
export const ownItems: readonly NavItem[] = [
  { to: "/devices", label: "devices", icon: Router, letter: "v" },
  { to: "/settings", label: "settings", icon: Settings, letter: "s" },
];

/** Every page with its group. */
export const allPages: readonly { group: NavGroup["label"]; item: NavItem }[] = [
  ...navGroups.flatMap(({ label, items }) => items.map((item) => ({ group: label, item }))),
  ...ownItems.map((item) => ({ group: "hearth" as const, item })),
];
