import {
  Activity,
  ArrowLeftRight,
  BookOpen,
  Boxes,
  FolderSync,
  FolderUp,
  LayoutDashboard,
  MessageSquare,
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
    | "settings";
  icon: LucideIcon;
}

export interface NavGroup {
  label: "observe" | "simulate" | "data" | "model" | "docs" | "hearth";
  items: readonly NavItem[];
}

/** The pages by group, in the order of the sidebar; the labels are keys under `nav`. */
export const navGroups: readonly NavGroup[] = [
  {
    label: "observe",
    items: [
      { to: "/", label: "overview", icon: LayoutDashboard },
      { to: "/requests", label: "requests", icon: ArrowLeftRight },
      { to: "/events", label: "events", icon: Activity },
    ],
  },
  {
    label: "simulate",
    items: [
      { to: "/phone", label: "phone", icon: Smartphone },
      { to: "/users", label: "users", icon: Users },
      { to: "/payments", label: "payments", icon: WalletCards },
      { to: "/faults", label: "faults", icon: TriangleAlert },
    ],
  },
  {
    label: "data",
    items: [
      { to: "/collections", label: "collections", icon: Table2 },
      { to: "/uploads", label: "uploads", icon: FolderUp },
      { to: "/file-events", label: "fileEvents", icon: FolderSync },
    ],
  },
  {
    label: "model",
    items: [
      { to: "/chat", label: "chat", icon: MessageSquare },
      { to: "/models", label: "models", icon: Boxes },
    ],
  },
  { label: "docs", items: [{ to: "/api-docs", label: "apiDocs", icon: BookOpen }] },
];

/** At the foot of the sidebar. */
export const settingsItem: NavItem = { to: "/settings", label: "settings", icon: Settings };

/** Every page with the group that it stands in. */
export const allPages: readonly { group: NavGroup["label"]; item: NavItem }[] = [
  ...navGroups.flatMap(({ label, items }) => items.map((item) => ({ group: label, item }))),
  { group: "hearth", item: settingsItem },
];
