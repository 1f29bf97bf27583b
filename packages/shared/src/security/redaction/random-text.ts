const CHARACTERS = /^[\w+/=.~-]{12,200}$/;
/** A change from lower to upper case, or between a letter and a digit. */
const TURN = /[a-z](?=[A-Z])|[a-zA-Z](?=\d)|\d(?=[a-zA-Z])/g;
const MIN_TURNS = 5;

/** Checks whether a text looks randomly generated. Words, camel-case names, UUIDs and hexadecimal digests don't. */
export function isRandom(text: string): boolean {
  if (!CHARACTERS.test(text) || !/[a-z]/.test(text) || !/[A-Z]/.test(text) || !/\d/.test(text)) return false;
  const turns = text.match(TURN)?.length ?? 0;
  return turns >= MIN_TURNS && turns * 6 >= text.length;
}
