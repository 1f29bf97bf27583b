import type { Token } from "./tokens.ts";

const OPENING = new Set(["{", "[", "(", "template_interpolation_start", "template_directive_start"]);
const CLOSING = new Set(["}", "]", ")", "template_interpolation_end", "template_directive_end"]);

/** 1 for what opens a bracket, -1 for what closes one. */
export function nestingOf({ type }: Token): number {
  if (OPENING.has(type)) return 1;
  return CLOSING.has(type) ? -1 : 0;
}

const isName = ({ text }: Token): boolean => /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(text);
const isDot = ({ text }: Token): boolean => text.startsWith(".") && text !== "...";

/** The grammar takes the splat `[*]` for one token. */
const isIndex = ({ text }: Token): boolean => text === "[" || text === "[*]";
/** Whether an index may follow. */
const mayEnd = (token: Token): boolean =>
  isName(token) || token.type === "numeric_lit" || token.text === "[*]" || nestingOf(token) < 0;

/** After these a minus negates what follows. */
const BEFORE_NEGATION = new Set(
  "( { [ = : , ? + * / % - == != > >= < <= && || ! template_interpolation_start".split(" "),
);

interface Rule {
  applies: (at: { before: Token | undefined; subject: Token; after: Token }) => boolean;
  isSpaced: boolean;
}

/** Of `terraform fmt`, in its order; the first that applies counts. */
const RULES: readonly Rule[] = [
  { applies: ({ subject, after }) => isName(subject) && after.text === "(", isSpaced: false },
  { applies: ({ subject, after }) => subject.text === "::" || after.text === "::", isSpaced: false },
  { applies: ({ subject, after }) => isDot(subject) || isDot(after), isSpaced: false },
  { applies: ({ after }) => after.text === "," || after.text === "...", isSpaced: false },
  { applies: ({ subject }) => subject.text === ",", isSpaced: true },
  {
    applies: ({ before, subject }) => subject.text === "in" && before !== undefined && isName(before),
    isSpaced: true,
  },
  { applies: ({ subject, after }) => isIndex(after) && mayEnd(subject), isSpaced: false },
  { applies: ({ subject }) => subject.text === "!", isSpaced: false },
  {
    applies: ({ before, subject }) =>
      subject.text === "-" && (before === undefined || BEFORE_NEGATION.has(before.type)),
    isSpaced: false,
  },
  { applies: ({ subject }) => subject.text === "-", isSpaced: true },
  { applies: ({ subject, after }) => subject.text === "{" && after.text === "}", isSpaced: false },
  {
    applies: ({ subject, after }) => subject.text === "{" || (after.text === "}" && after.type === "}"),
    isSpaced: true,
  },
  {
    applies: ({ subject, after }) => subject.type === "template_interpolation_start" && after.text === "{",
    isSpaced: true,
  },
  {
    applies: ({ subject, after }) => subject.type === "}" && after.type === "template_interpolation_end",
    isSpaced: true,
  },
  { applies: ({ subject }) => nestingOf(subject) > 0, isSpaced: false },
  { applies: ({ after }) => nestingOf(after) < 0, isSpaced: false },
];

/** Whether a space belongs between two tokens of a line. */
export function isSpaced(before: Token | undefined, subject: Token, after: Token): boolean {
  return RULES.find(({ applies }) => applies({ before, subject, after }))?.isSpaced ?? true;
}
