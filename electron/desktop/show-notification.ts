import { Notification } from "electron";

/** Those on the screen: one that nobody holds is collected as garbage, and a click on it is lost. */
const shown = new Set<Notification>();

/** Shows a notification of the system, where it has them. */
export function showNotification({ title, body }: { title: string; body: string }, onClick: () => void): void {
  if (!Notification.isSupported()) return;
  const notification = new Notification({ title, body });
  const forget = () => void shown.delete(notification);
  notification.on("click", () => {
    forget();
    onClick();
  });
  notification.on("close", forget);
  notification.on("failed", forget);
  shown.add(notification);
  notification.show();
}
