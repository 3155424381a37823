/** The messages between the desktop program and the page in its window. A browser has none of them. */
import { z } from "zod";

/** The kinds of events that the system's notifications report. */
export const noticeKindSchema = z.enum(["payments", "uploads", "watchers", "models"]);
export type NoticeKind = z.infer<typeof noticeKindSchema>;

/** The effect of closing the window: ask once, keep Hearth running, or end it. */
const onCloseSchema = z.enum(["ask", "keep", "quit"]);
const languageSchema = z.enum(["en", "zh"]);

export const desktopSchema = z.object({
  onClose: onCloseSchema,
  openAtLogin: z.boolean(),
  notify: z.record(noticeKindSchema, z.boolean()),
  /** The data directory is new, and nobody has ended or skipped its introduction. */
  isFirstRun: z.boolean(),
  /** Without the system's tray, a hidden window could not be reached: closing it ends Hearth. */
  hasTray: z.boolean(),
  canOpenAtLogin: z.boolean(),
  /** The data of an older Hearth, as they were before this one changed them. */
  wayBack: z.object({ version: z.string(), time: z.iso.datetime() }).optional(),
});
export type Desktop = z.infer<typeof desktopSchema>;

export const desktopChangeSchema = z
  .object({
    onClose: onCloseSchema,
    openAtLogin: z.boolean(),
    notify: z.record(noticeKindSchema, z.boolean()),
    /** The console's, in which the shell then speaks, too. */
    language: languageSchema,
    isFirstRun: z.literal(false),
  })
  .partial();
export type DesktopChange = z.infer<typeof desktopChangeSchema>;
