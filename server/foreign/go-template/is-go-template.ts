/** Tells templates of Go from those of Jinja, which share their braces. */

/** The words with which an action of Go begins, unless with a name, which has a dot or a dollar before it. */
const goWords = new Set(
  (
    ". $ if else end range with template define block break continue and call eq ge gt html index js json le len lt ne not " +
    "or print printf println slice urlquery currentDate yesterdayDate toTypeScriptType"
  ).split(" "),
);
const actionStart = /\{\{-?\s*\(*(?:([.$]|\w+\s+[.$]\w)|(\w+)(?![\w(]))/g;

/** No statement of Jinja stands in double braces, no name in it begins with a dot, and its functions are called with parentheses. */
export const isGoTemplate = (text: string) =>
  !text.includes("{%") &&
  [...text.matchAll(actionStart)].some(([, mark, word = ""]) => mark !== undefined || goWords.has(word));
