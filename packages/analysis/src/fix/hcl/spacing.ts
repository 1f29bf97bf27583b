import type { Token } from "./tokens.ts";

const OPENING = new Set(["{", "[", "(", "template_interpolation_start", "template_directive_start"]);
const CLOSING = new Set(["}", "]", ")", "template_interpolation_end", "template_directive_end"]);

/** Returns 1 for an opening bracket and -1 for a closing one. */
export function nestingOf({ type }: Token): number {
  if (OPENING.has(type)) return 1;
  return CLOSING.has(type) ? -1 : 0;
}

const isName = ({ text }: Token): boolean => /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(text);
const isDot = ({ text }: Token): boolean => text.startsWith(".") && text !== "...";

/** Checks for an index; the grammar treats the splat `[*]` as one token. */
const isIndex = ({ text }: Token): boolean => text === "[" || text === "[*]";
/** Checks whether an index may follow a token. */
const mayEnd = (token: Token): boolean =>
  isName(token) || token.type === "numeric_lit" || token.text === "[*]" || nestingOf(token) < 0;

/** Tokens after which a minus is a negation. */
const BEFORE_NEGATION = new Set(
  "( { [ = : , ? + * / % - == != > >= < <= && || ! template_interpolation_start".split(" "),
);

interface Rule {
  applies: (at: { before: Token | undefined; subject: Token; after: Token }) => boolean;
  isSpaced: boolean;
}

/** Spacing rules of `terraform fmt`, in its order; the first that applies wins. */
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

/** Checks whether two tokens on a line need a space between them. */
export function isSpaced(before: Token | undefined, subject: Token, after: Token): boolean {
  return RULES.find(({ applies }) => applies({ before, subject, after }))?.isSpaced ?? true;
}
