/** The names that Hearth gives or reads in a data directory. */

/** Databases with their files, and other files that only Hearth uses, including unfinished ones. */
const ownFiles = [
  /^(hearth|provider|requests|lock)[.]db([-.].*)?$/,
  /^(hearth[.]config[.]json|keys[.]json|written-by[.]json|database[.]txt|directory-id|platform-certificate[.]pem)([.]([0-9]+[.])?part)?$/,
  /^((keys|services)[.]lock(-journal)?|engine-test|lock[.]sock|run[.]json|[.][0-9a-f]{16}[.]ready)$/,
];
/** Folders that hold only files of Hearth. */
const ownFolder = /^(uploads|fixtures|watch|window|backups|gpu-engine|prompt-cache|certificate-authority)$/;
/** Folders that users fill as well. */
const sharedFolder = /^(models|collections)$/;
const usersFile = /^routes[.]json$/;
/** With these, git keeps a folder that is otherwise empty. */
export const gitsFile = /^[.]git(ignore|keep)$/;

/** Whether a name in a data directory is one that Hearth gives or reads. */
export const isHearthsName = (name: string): boolean =>
  [...ownFiles, ownFolder, sharedFolder, usersFile, gitsFile].some((pattern) => pattern.test(name));
