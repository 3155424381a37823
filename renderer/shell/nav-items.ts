import { Activity, BookOpen, FolderUp, LayoutDashboard, MessageSquare, type LucideIcon } from "lucide-react";

export interface NavItem {
  to: "/" | "/events" | "/uploads" | "/chat" | "/api-docs";
  label: "overview" | "events" | "uploads" | "chat" | "apiDocs";
  icon: LucideIcon;
}

export interface NavGroup {
  label: "observe" | "data" | "model" | "docs";
  items: readonly NavItem[];
}

/** The pages by group, in the order of the sidebar; the labels are keys under `nav`. */
export const navGroups: readonly NavGroup[] = [
  {
    label: "observe",
    items: [
      { to: "/", label: "overview", icon: LayoutDashboard },
      { to: "/events", label: "events", icon: Activity },
    ],
  },
  { label: "data", items: [{ to: "/uploads", label: "uploads", icon: FolderUp }] },
  { label: "model", items: [{ to: "/chat", label: "chat", icon: MessageSquare }] },
  { label: "docs", items: [{ to: "/api-docs", label: "apiDocs", icon: BookOpen }] },
];
