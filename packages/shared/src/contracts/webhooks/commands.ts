import { Type as t } from "@sinclair/typebox";

import { Reason } from "../common.ts";
import { words } from "../contract.ts";

/** Maximum length of a command's line in characters. */
export const LONGEST_COMMAND = 2_000;

export const Fingerprint = t.String({ pattern: String.raw`^\w[\w:.-]{0,99}$` });

export const Until = t.String({
  pattern: String.raw`^(?:[1-9]\d{0,3}[hdw]|\d{4}-\d\d-\d\d)$`,
  description: "A duration such as 30d, or a date",
});

/** Operands that a command may require. */
const OPERANDS = {
  address: t.String({ minLength: 1, maxLength: LONGEST_COMMAND }),
  fingerprint: Fingerprint,
};
/** Options that a command may have, each with the example that help shows. */
const OPTIONS = {
  until: { schema: Until, example: "30d" },
  reason: { schema: Reason, example: '"…"' },
};

/** Words that a command may have after its operand, by the name of their field; the first is the default. */
const CHOICES = { how: ["accept", "revert", "forget"] } as const;

/** Flag that a command with a choice may have, by the name of its field. */
const FLAGS = { open: "--open" } as const;

type Operand = keyof typeof OPERANDS;
type Choice = keyof typeof CHOICES;
type Flag = keyof typeof FLAGS;
type Option = keyof typeof OPTIONS;

/** A command of a comment, as in `/leeway ignore <fingerprint> --until 30d`. */
export interface CommandRules {
  /** Required operand; absent for a command that stands alone. */
  takes?: Operand;
  options?: readonly Option[];
  /** Word that may follow the operand. */
  choice?: Choice;
  /** Flag that may end the command. */
  flag?: Flag;
  /** Line that help shows. */
  does: string;
}

/** All commands, in the order in which help lists them. */
export const COMMANDS = {
  help: { does: "Lists the commands." },
  analyze: { does: "Analyzes the latest plan again." },
  status: { does: "Shows the analysis of each project in this merge request." },
  explain: { takes: "address", does: "Shows everything that the analysis found about a resource." },
  acknowledge: {
    takes: "fingerprint",
    options: ["reason"],
    does: "Marks drift as known. It still counts as risk.",
  },
  ignore: {
    takes: "fingerprint",
    options: ["until", "reason"],
    does: "Ignores plan noise or drift from now on.",
  },
  unignore: { takes: "fingerprint", does: "Stops ignoring it." },
  fix: { takes: "fingerprint", does: "Shows the code change that stops a kind of noise." },
  settle: {
    takes: "fingerprint",
    choice: "how",
    flag: "open",
    does: "Shows how to end drift: the code that accepts or forgets it, or the commands that revert it. `--open` opens the change request.",
  },
  rescan: { does: "Scans the cloud account again." },
} as const satisfies Record<string, CommandRules>;
export type Verb = keyof typeof COMMANDS;

type OperandOf<V extends Verb> = (typeof COMMANDS)[V] extends { takes: infer O extends Operand } ? O : never;
type OptionOf<V extends Verb> = (typeof COMMANDS)[V] extends { options: readonly (infer O extends Option)[] }
  ? O
  : never;
type ChoiceOf<V extends Verb> = (typeof COMMANDS)[V] extends { choice: infer C extends Choice } ? C : never;
type FlagOf<V extends Verb> = (typeof COMMANDS)[V] extends { flag: infer F extends Flag } ? F : never;
type CommandOf<V extends Verb> = { verb: V } & { [K in OperandOf<V>]: string } & {
  [K in ChoiceOf<V>]?: (typeof CHOICES)[K][number];
} & {
  [K in FlagOf<V>]?: true;
} & {
  [K in OptionOf<V>]?: string;
};

/** A command in a comment; `unknown` is answered with help. */
export type Command = { [V in Verb]: CommandOf<V> }[Verb] | { verb: "unknown"; problem: string };

export const Command = t.Unsafe<Command>(
  t.Union([
    ...Object.entries<CommandRules>(COMMANDS).map(([verb, { takes, choice, flag, options = [] }]) =>
      t.Object({
        verb: t.Literal(verb),
        ...(takes && { [takes]: OPERANDS[takes] }),
        ...(choice && { [choice]: t.Optional(words(CHOICES[choice])) }),
        ...(flag && { [flag]: t.Optional(t.Literal(true)) }),
        ...Object.fromEntries(options.map((option) => [option, t.Optional(OPTIONS[option].schema)])),
      }),
    ),
    t.Object({ verb: t.Literal("unknown"), problem: t.String() }),
  ]),
);

/** Returns the usage of each command, as in `fix <fingerprint>`, with the line that help shows. */
export function commandUsages(): [usage: string, does: string][] {
  return Object.entries<CommandRules>(COMMANDS).map(([verb, { takes, choice, flag, options = [], does }]) => {
    const operand = takes === undefined ? "" : ` <${takes}>`;
    const word = choice === undefined ? "" : ` [${CHOICES[choice].join("|")}]`;
    return [
      [
        verb + operand + word + (flag ? ` [${FLAGS[flag]}]` : ""),
        ...options.map((one) => `[--${one} ${OPTIONS[one].example}]`),
      ].join(" "),
      does,
    ];
  });
}

/** Returns the words that may follow a command's operand. */
export const choicesOf = (choice: keyof typeof CHOICES): readonly string[] => CHOICES[choice];
