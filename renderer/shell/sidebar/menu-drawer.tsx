import { Drawer } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Sidebar } from "./sidebar.tsx";

/** The sidebar in a narrow window: over the page, until a page is chosen. */
export function MenuDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Drawer.Root opened={opened} onClose={onClose} size={208} padding={0}>
      <Drawer.Overlay />
      <Drawer.Content aria-label={t("nav.label")}>
        <Sidebar collapsed={false} onNavigate={onClose} />
      </Drawer.Content>
    </Drawer.Root>
  );
}
