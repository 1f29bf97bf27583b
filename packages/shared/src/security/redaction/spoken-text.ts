import { isRandom } from "./random-text.ts";
import { isSecret } from "./secret-names.ts";
import { REDACTED } from "../../values/redacted.ts";

const IDENTIFIED = /\b((?:identified\s{1,3}by|password)\s{1,3})'([^'\n]{1,200})'/gi;
/** `password is …`, unless an ordinary word follows. */
const IS =
  /\b((?:password|passphrase|passwd|pwd|pw|secret|token|api key)\s{1,3}(?:is|was)\s{1,3}["'`]?)([^\s"'`]{6,200})/gi;
/** `login admin/…` */
const LOGIN =
  /\b((?:login|logon|credentials?|creds|sign in)(?:\s{1,3}|:\s{0,3})[\w.@-]{1,64}\/)([^\s"'`/]{8,200})/gi;
const SECURE_STRING = /(ConvertTo-SecureString\s{1,3}(?:-String\s{1,3})?)(["'])([^"'\n]{1,400})\2/gi;
/** A name that may be a key's, and the word after it. */
const KEY = /(?<![\w.$-])([\w.$-]{1,100})(["']?\s{0,3}[=:]\s{0,3}["'`]?)([\w+/=.~-]{12,200})/g;
const PIN = /\b((?:PIN|OTP)=)\d{4,8}\b/g;
/** Continuation of a hidden quotation on the next line of a shell script. */
const GOES_ON = /(\[redacted\]["'])(?:\\\r?\n[ \t]{0,40}(["'])[^"'\n]{0,400}\2){1,20}/g;

/** Hides secrets that a sentence introduces, and words that look random after a name that may be a key's. */
export function redactSpoken(text: string): string {
  let cleaned = text;
  if (/identified|pass|pw|secret|token|key/i.test(cleaned)) {
    cleaned = cleaned.replaceAll(IDENTIFIED, `$1'${REDACTED}'`).replaceAll(IS, hideSaid);
  }
  if (/log|cred|sign in/i.test(cleaned)) cleaned = cleaned.replaceAll(LOGIN, hideSaid);
  if (/securestring/i.test(cleaned)) cleaned = cleaned.replaceAll(SECURE_STRING, `$1$2${REDACTED}$2`);
  if (/[=:]/.test(cleaned)) cleaned = cleaned.replaceAll(KEY, hideKey).replaceAll(PIN, `$1${REDACTED}`);
  return cleaned;
}

/** Hides the remaining parts of a secret that a shell script splits over several quotations. */
export function redactContinued(text: string): string {
  return text.includes(REDACTED) ? text.replaceAll(GOES_ON, "$1") : text;
}

function hideSaid(whole: string, before: string, said: string): string {
  return /\d/.test(said) && /[a-z]/i.test(said) ? before + REDACTED : whole;
}

function hideKey(whole: string, name: string, separator: string, value: string): string {
  return isRandom(value) && isSecret(name, value) ? name + separator + REDACTED : whole;
}
