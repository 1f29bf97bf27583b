import { hideAssigned, wordAt, type Assigned } from "./assigned-text.ts";
import { headsLike } from "./heads.ts";
import { REDACTED } from "../../values/redacted.ts";

/** Optional arguments between a command's name and a flag. */
const ARGUMENTS = String.raw`\s(?:[^\n|;&]{0,200}?\s)?`;
/** Whitespace between the words of a file, also when the file is inside a JSON string. */
const BLANKS = String.raw`(?:\s|\\{1,2}[nrt]){1,9}`;
const LINE_START = String.raw`(?:^|\n|\\{1,2}n)[ \t]{0,20}`;
const WORD = String.raw`[^\s"'\\]{1,200}`;
/** Text directly before a password. */
const HEADS = [
  String.raw`\b(?:mysql|mariadb)[\w-]{0,20}${ARGUMENTS}-p(?=\S)`,
  String.raw`\bmongo(?:sh|dump|restore|export|import|stat|top|files)?${ARGUMENTS}-p[ =]{1,3}`,
  String.raw`\b(?:docker|podman|nerdctl|buildah|skopeo|helm\s+registry)\s+login${ARGUMENTS}-p[ =]{1,3}`,
  String.raw`\bsshpass${ARGUMENTS}-p\s{0,3}`,
  String.raw`\baz\s+login${ARGUMENTS}-p[ =]{1,3}`,
  String.raw`\bldap(?:search|add|modify|delete|passwd|whoami)${ARGUMENTS}-w\s{1,3}`,
  String.raw`\bsqlplus\s(?:[^\n|;&/@]{0,200}\s)?[\w.$#-]{1,64}/(?=[^\s/]{1,200}@)`,
  String.raw`\becho\s{1,3}["']?[\w.-]{1,64}:(?=[^\n|]{1,200}\|\s{0,3}(?:sudo\s{1,3})?chpasswd\b)`,
  String.raw`\bredis-cli${ARGUMENTS}-a\s{1,3}`,
  String.raw`(?:${LINE_START}|\bset\s{1,3})(?:requirepass|masterauth)[ \t]{1,9}`,
  String.raw`(?:\bmachine${BLANKS}${WORD}|${LINE_START}default)${BLANKS}login${BLANKS}${WORD}${BLANKS}(?:account${BLANKS}${WORD}${BLANKS})?password${BLANKS}`,
];
const HEAD = new RegExp(String.raw`(?:${HEADS.join("|")})(?![-|>&])`, "g");
const HEAD_SIGN = / -?-[apw]|requirepass|masterauth|login|sqlplus|chpasswd/;
const CURL_USER = /(\s(?:-u|--user)[ =]{1,3}["']?[^\s:"']{1,100}:)((?:[^\s"'\\]|\\(?!\\{0,8}["']))+)/g;

/** Hides passwords in command lines, and in files such as `.netrc` whose format marks them. */
export function redactCommands(text: string): string {
  const cleaned = text.includes("-u") ? text.replaceAll(CURL_USER, `$1${REDACTED}`) : text;
  return HEAD_SIGN.test(cleaned) ? hideAssigned(cleaned, headsLike(HEAD, cleaned), passwordAt) : cleaned;
}

function passwordAt(...[place, head]: Parameters<typeof wordAt>): Assigned | undefined {
  const word = wordAt(place, head);
  return word && { ...word, name: "password" };
}
