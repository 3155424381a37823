/** The scripts with which bash, zsh and fish complete the command line. */
import { posixWord } from "../../contract/shell-words.ts";
import type { CommandCandidate } from "./candidates.ts";

type Commands = readonly CommandCandidate[];

interface Word {
  readonly word: string;
  readonly meaning?: string;
}

const bare = (values: readonly string[]): Word[] => values.map((word) => ({ word }));
const topCommands = (commands: Commands) => commands.filter(({ name }) => !name.includes(" "));
const actionNames = (commands: Commands) => commands.map(({ name }) => name).filter((name) => name.includes(" "));

/** The words that may follow a command. */
const wordsAfter = ({ actions, values, flags }: CommandCandidate): Word[] => [...actions, ...bare(values), ...flags];

/**
 * The branches of bash and zsh: the words by `command flag` for values, and by command otherwise.
 * @param write makes the statement that offers the words
 */
function branches(commands: Commands, write: (words: readonly Word[]) => string): { values: string; words: string } {
  const valued = commands.flatMap(({ name, flags }) =>
    flags.filter(({ takesValue }) => takesValue).map(({ word, values }) => ({ at: `${name} ${word}`, values })),
  );
  const line = (at: string, statement: string) => `    ${posixWord(at)}) ${statement} ;;`;
  const free = valued.filter(({ values }) => values.length === 0).map(({ at }) => posixWord(at));
  return {
    values: [
      ...valued.filter(({ values }) => values.length > 0).map(({ at, values }) => line(at, write(bare(values)))),
      // Without candidates, the shell offers files.
      `    ${free.join("|")}) return 1 ;;`,
    ].join("\n"),
    words: [
      line("", write(topCommands(commands))),
      ...commands.map((one) => line(one.name, write(wordsAfter(one)))),
    ].join("\n"),
  };
}

function bashScript(commands: Commands): string {
  const write = (words: readonly Word[]) => `candidates=${posixWord(words.map(({ word }) => word).join(" "))}`;
  const { values, words } = branches(commands, write);
  return `_hearth() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="" candidates=""
  ((COMP_CWORD > 1)) && command="\${COMP_WORDS[1]}"
  ((COMP_CWORD > 2)) && case "$command \${COMP_WORDS[2]}" in
    ${actionNames(commands).map(posixWord).join("|")}) command="$command \${COMP_WORDS[2]}" ;;
  esac
  case "$command $previous" in
${values}
  esac
  [[ -z $candidates ]] && case "$command" in
${words}
  esac
  COMPREPLY=($(compgen -W "$candidates" -- "$current"))
}
complete -o default -F _hearth hearth
`;
}

function zshScript(commands: Commands): string {
  const item = ({ word, meaning }: Word) =>
    posixWord(word.replaceAll(":", "\\:") + (meaning === undefined ? "" : `:${meaning}`));
  const { values, words } = branches(commands, (list) => `candidates=(${list.map(item).join(" ")})`);
  return `#compdef hearth
_hearth() {
  local previous="\${words[CURRENT-1]}" command=""
  local -a candidates
  (( CURRENT > 2 )) && command="\${words[2]}"
  (( CURRENT > 3 )) && case "$command \${words[3]}" in
    ${actionNames(commands).map(posixWord).join("|")}) command="$command \${words[3]}" ;;
  esac
  case "$command $previous" in
${values.replace("return 1", "_files; return")}
  esac
  (( \${#candidates} )) || case "$command" in
${words}
  esac
  _describe hearth candidates || _files
}
compdef _hearth hearth
`;
}

function fishScript(commands: Commands): string {
  const at = (name: string) => `-n ${posixWord(`test "$(__hearth_command)" = ${posixWord(name)}`)}`;
  const offer = (name: string, { word, meaning }: Word) =>
    `complete -c hearth ${at(name)} -a ${posixWord(word)}${meaning === undefined ? "" : ` -d ${posixWord(meaning)}`}`;
  const lines = commands.flatMap(({ name, actions, values, flags }) => [
    ...[...actions, ...bare(values)].map((word) => offer(name, word)),
    ...flags.map(({ word, meaning, takesValue, values: known }) => {
      const value = known.length > 0 ? ` -x -a ${posixWord(known.join(" "))}` : takesValue ? " -r -F" : "";
      return `complete -c hearth ${at(name)} -l ${word.slice(2)}${value} -d ${posixWord(meaning)}`;
    }),
  ]);
  return `function __hearth_command
  set -l words (commandline -opc)
  set -e words[1]
  if contains -- "$words[1] $words[2]" ${actionNames(commands).map(posixWord).join(" ")}
    echo "$words[1] $words[2]"
  else if set -q words[1]
    echo $words[1]
  end
end
${topCommands(commands)
  .map((word) => offer("", word))
  .join("\n")}
${lines.join("\n")}
`;
}

export const shellScripts = { bash: bashScript, zsh: zshScript, fish: fishScript };
