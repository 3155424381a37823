import { createContext } from "react";
import type { UploadQueue } from "./upload-queue.ts";

/** The one queue of the page; made in main.tsx. */
export const UploadQueueContext = createContext<UploadQueue | undefined>(undefined);
