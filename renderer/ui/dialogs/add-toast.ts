import { notifications, notificationsStore, type NotificationData } from "@mantine/notifications";

/** The most toasts that fit on the page. */
export const mostToasts = 5;

/** Shows a toast at once: where there is no room, the oldest goes, and one that would go by itself first. Returns its id. */
export function addToast(toast: NotificationData): string {
  const shown = notificationsStore.getState().notifications;
  if (shown.length >= mostToasts) {
    const oldest = shown.find(({ autoClose }) => autoClose !== false) ?? shown[0];
    if (oldest?.id) notifications.hide(oldest.id);
  }
  return notifications.show(toast);
}
