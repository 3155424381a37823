/**
 * Drops a file that the system opens with Hearth on the window's page. The page takes it as it takes what a person drops:
 * it shows a form, and reads the file itself.
 */
import type { WebContents } from "electron";

/** @param path an absolute one */
export async function dropFile({ debugger: devTools }: Pick<WebContents, "debugger">, path: string): Promise<void> {
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  devTools.attach("1.3");
  try {
    // In the window's corner, where no field of the page takes files for itself.
    for (const type of ["dragEnter", "dragOver", "drop"])
      await devTools.sendCommand("Input.dispatchDragEvent", { type, x: 1, y: 1, data });
  } finally {
    devTools.detach();
  }
}
