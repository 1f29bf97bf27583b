import { words } from "../contract.ts";
import { keysOf } from "../../values/keys-of.ts";

/**
 * Kinds of code hosts, with the word for each in comment targets and stored reviews. Older services and stored rows
 * know these words, so they stay.
 */
const CODE_HOSTS = { github: { word: "planner" }, gitlab: { word: "vcs" } } as const;

export type CodeHostKind = keyof typeof CODE_HOSTS;
/** Word for a kind of code host in comment targets and stored reviews. */
export type HostWord = (typeof CODE_HOSTS)[CodeHostKind]["word"];

export const CODE_HOST_KINDS = keysOf(CODE_HOSTS);
export const CodeHostKind = words(CODE_HOST_KINDS);
export const HostWord = words(CODE_HOST_KINDS.map((kind) => CODE_HOSTS[kind].word));

export function wordOf(kind: CodeHostKind): HostWord {
  return CODE_HOSTS[kind].word;
}

/** @throws {Error} for a word that only a newer version knows */
export function hostKindOf(word: HostWord): CodeHostKind {
  const found = CODE_HOST_KINDS.find((kind) => CODE_HOSTS[kind].word === word);
  if (found === undefined) throw new Error(`no kind of code host is called ${word}`);
  return found;
}

/** Returns the kind that is named instead of a host; undefined for the name of a host. */
export function kindNamed(host: string | undefined): CodeHostKind | undefined {
  return CODE_HOST_KINDS.find((kind) => kind === host);
}

/** Returns the name of a host; undefined if it is unknown, or if only its kind is known. */
export function hostNameIn(host: string | undefined): string | undefined {
  return kindNamed(host) === undefined ? host : undefined;
}
