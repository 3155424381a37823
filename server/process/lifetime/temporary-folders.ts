/** A JSON list of the folders to remove if the parent ends without removing them. */
export const temporaryVariable = "HEARTH_TEMPORARY_FOLDERS";
