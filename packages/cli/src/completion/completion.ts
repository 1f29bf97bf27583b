import { HELP, isDashed, oneOf, readArguments, usage, type Syntax } from "../arguments.ts";
import { EXITS } from "../exits.ts";
import { help } from "../help.ts";
import { SYNTAX as PLANNER_HOOK } from "../planner-hook/settings.ts";
import { SYNTAXES } from "../syntaxes.ts";
import type { Terminal } from "../terminal.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

export const COMPLETION: Syntax = {
  command: "completion",
  operands: ["SHELL"],
  about: [
    "Prints the completion of commands and flags for bash, zsh or fish:",
    '  bash: eval "$(leeway completion bash)" in ~/.bashrc',
    '  zsh: eval "$(leeway completion zsh)" in ~/.zshrc, after compinit',
    "  fish: leeway completion fish >~/.config/fish/completions/leeway.fish",
  ].join("\n"),
  flags: {},
  switches: {},
  exits: Object.values(EXITS),
};

/** Runs `leeway completion`. */
export function completion(args: string[], terminal: Terminal): void {
  const given = readArguments(COMPLETION, args);
  if (given.isOn(HELP)) return terminal.print(help(COMPLETION));
  terminal.print(SCRIPTS[shellOf(given.operands[0] ?? "")](wordsByLine()));
}

function shellOf(raw: string): (typeof SHELLS)[number] {
  try {
    return oneOf(SHELLS, raw);
  } catch (error) {
    throw usage(COMPLETION.command, `SHELL ${error instanceof Error ? error.message : ""}`);
  }
}

/** Words that may follow, by the words before: none for the first, a group such as `state`, or a whole command. */
type WordsByLine = ReadonlyMap<string, readonly string[]>;

function wordsByLine(): WordsByLine {
  const all = [...SYNTAXES, COMPLETION, PLANNER_HOOK];
  const words = new Map<string, Set<string>>([["", new Set(["help", "version"])]]);
  const add = (line: string, ...more: string[]): void => {
    words.set(line, new Set([...(words.get(line) ?? []), ...more]));
  };
  for (const { command, flags, switches } of all) {
    const [first = "", second] = command.split(" ");
    add("", first);
    if (second !== undefined) add(first, second);
    add(command, ...Object.keys(flags).filter(isDashed), ...Object.keys(switches), HELP);
  }
  add(COMPLETION.command, ...SHELLS);
  return new Map([...words].map(([line, set]) => [line, [...set]]));
}

const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], (words: WordsByLine) => string>> = {
  bash: (words) => `_leeway() {
  local line="\${COMP_WORDS[*]:1:2}" offers
  [ "$COMP_CWORD" -gt 2 ] || line="\${COMP_WORDS[*]:1:COMP_CWORD-1}"
${cases(words)}
  COMPREPLY=($(compgen -W "$offers" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _leeway leeway
`,
  zsh: (words) => `#compdef leeway
_leeway() {
  local line offers
  if [ "$CURRENT" -gt 3 ]; then line="\${(j: :)\${(@)words[2,3]}}"; else line="\${(j: :)\${(@)words[2,CURRENT-1]}}"; fi
${cases(words)}
  if [ "\${PREFIX#-}" = "$PREFIX" ]; then _files; fi
  compadd -- \${=offers}
}
compdef _leeway leeway
`,
  fish: (words) =>
    [...words]
      .flatMap(([line, each]) => each.map((word) => fishLine(line, word, words)))
      .map((line) => `${line}\n`)
      .join(""),
};

/** Returns a `case` that sets `offers` for the line, or for its first word if the line has none. */
function cases(words: WordsByLine): string {
  const lines = [...words].map(([line, each]) => `    ${quote(line)}) offers=${quote(each.join(" "))} ;;`);
  return ['  case "$line" in', ...lines, ...firstWords(words), "  esac"].join("\n");
}

/** Commands of one word take operands and flags after it. */
function firstWords(words: WordsByLine): string[] {
  return [...words]
    .filter(([line]) => line !== "" && !line.includes(" "))
    .map(([line, each]) => `    ${quote(line)}" "*) offers=${quote(each.join(" "))} ;;`);
}

function quote(text: string): string {
  return `'${text}'`;
}

function fishLine(line: string, word: string, words: WordsByLine): string {
  const [first, second] = line.split(" ");
  const seconds = (words.get(first ?? "") ?? []).filter((each) => !each.startsWith("-"));
  const others =
    second === undefined && seconds.length > 0
      ? `; and not __fish_seen_subcommand_from ${seconds.join(" ")}`
      : "";
  const within = line === "" ? "__fish_use_subcommand" : `__fish_seen_subcommand_from ${first}`;
  const deeper = second === undefined ? others : `; and __fish_seen_subcommand_from ${second}`;
  const said = word.startsWith("--") ? `-l ${word.slice(2)}` : `-a ${word}`;
  return `complete -c leeway -f -n '${within}${deeper}' ${said}`;
}
