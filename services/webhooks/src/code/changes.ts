import type { CodeFile } from "@leeway/shared/contracts/webhooks/code";
import { sha256 } from "@leeway/shared/values/digest";

/** A branch of a repository. */
export interface Branch {
  commit: string;
  isProtected: boolean;
}

/** A commit on a branch that the target branch lacks. */
export interface BranchCommit {
  sha: string;
  message: string;
  /** Whether Leeway's own token or app wrote it. */
  isOwn: boolean;
  author: string;
}

/** Difference of a branch to its target. */
export interface Comparison {
  /** Oldest first. */
  commits: readonly BranchCommit[];
  /** Paths of the changed files. */
  paths: readonly string[];
}

/** A merge or pull request that is open. */
export interface Request {
  number: number;
  url: string;
  title: string;
  body: string;
}

export interface NewCommit {
  branch: string;
  /** Commit that it follows. */
  parent: string;
  /** Whether the branch has to be created. */
  isNew: boolean;
  message: string;
  files: readonly CodeFile[];
}

/** Writes branches and merge or pull requests of a repository. All methods throw `HostFailure`. */
export interface Changes {
  defaultBranch(): Promise<string | undefined>;
  branch(name: string): Promise<Branch | undefined>;
  compare(base: string, branch: string): Promise<Comparison>;
  /** Returns a file's content at a commit; undefined if it doesn't exist. */
  text(path: string, commit: string): Promise<string | undefined>;
  /** Adds a commit to a branch. Never overwrites a commit that the branch has got in the meantime. */
  commit(commit: NewCommit): Promise<void>;
  openRequest(branch: string, base: string): Promise<Request | undefined>;
  create(branch: string, base: string, words: { title: string; body: string }): Promise<Request>;
  update(number: number, words: { title: string; body: string }): Promise<void>;
  close(number: number): Promise<void>;
  removeBranch(name: string): Promise<void>;
}

const TRAILER = "Leeway-Digest: ";

/** Returns the message of a commit. Its last line identifies the files, so that they aren't committed twice. */
export function messageFor(title: string, files: readonly CodeFile[]): string {
  return `${title}\n\n${TRAILER}${digestOf(files)}`;
}

export function digestOf(files: readonly CodeFile[]): string {
  const inOrder = files.toSorted((a, b) => (a.path < b.path ? -1 : 1)).map(({ path, text }) => [path, text]);
  return sha256(JSON.stringify(inOrder)).toString("hex");
}

/** Returns the digest in a commit's message; undefined if Leeway didn't write it. */
export function digestIn(message: string): string | undefined {
  const [line = ""] = message.trimEnd().split("\n").slice(-1);
  return line.startsWith(TRAILER) ? line.slice(TRAILER.length).trim() : undefined;
}
