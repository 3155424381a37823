import { notifications, notificationsStore, type NotificationData } from "@mantine/notifications";

/** The most toasts that fit on the page. */
export const mostToasts = 5;

/** Shows a toast at once: where there is no room, the oldest goes, and one that would go by itself first. Returns its id. */
export function addToast(toast: NotificationData): string {
  const visible = notificationsStore.getState().notifications;
  if (visible.length >= mostToasts) {
    const oldest = visible.find(({ autoClose }) => autoClose !== false) ?? visible[0];
    if (oldest?.id) notifications.hide(oldest.id);
  }
  return notifications.show(toast);
}
