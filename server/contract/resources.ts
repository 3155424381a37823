/** What all resources share: ids and paging. */
import { z } from "zod";

export const idParams = z.object({ id: z.coerce.number().int().positive() });

/** The most items a page may hold; a larger page_size is 400 (spec: Limits). */
export const maxPageSize = 100;

export const pageQuery = z.object({
  page: z.coerce.number().int().min(1).default(1),
  page_size: z.coerce.number().int().min(1).max(maxPageSize).default(20),
});
export type PageQuery = z.output<typeof pageQuery>;
