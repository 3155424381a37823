/** The window's session: its pages' storage, permissions and downloads. */
import { app, session, type Session } from "electron";
import { join } from "node:path";

const name = "console";

/** The only permission granted to pages: writing text to the clipboard, for the copy buttons. */
const grantedPermission = "clipboard-sanitized-write";

interface Origins {
  /** The console's; undefined until the application server is up. */
  readonly origin: () => string | undefined;
  /** The application server's. */
  readonly appOrigin: () => string | undefined;
}

export function openWindowSession({ origin, appOrigin }: Origins): Session {
  const own = session.fromPartition(`persist:${name}`);
  const isOurs = (url: string) => origin() !== undefined && URL.parse(url)?.origin === origin();
  own.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) =>
    answer(permission === grantedPermission && isOurs(requestingUrl)),
  );
  own.setPermissionCheckHandler((_contents, permission, asking) => permission === grantedPermission && isOurs(asking));
  own.setDevicePermissionHandler(() => false);
  own.on("will-download", (event, item) => {
    const url = item.getURL();
    // Files that a page creates (blob:) have the origin of the page or of the framed API description. They are saved, but
    // never opened.
    if (isOurs(url) || url.startsWith(`blob:${appOrigin() ?? ""}/`))
      item.setSaveDialogOptions({ defaultPath: join(app.getPath("downloads"), item.getFilename()) });
    else event.preventDefault();
  });
  return own;
}
