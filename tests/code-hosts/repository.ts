import { createHash } from "node:crypto";

/** Author of a commit. */
export interface CommitAuthor {
  name: string;
  email: string;
  /** Username on the host. */
  login: string;
}

interface StoredCommit {
  sha: string;
  parent: string | undefined;
  message: string;
  author: CommitAuthor;
  files: ReadonlyMap<string, string>;
}

export interface StoredRequest {
  number: number;
  branch: string;
  target: string;
  title: string;
  body: string;
  isOpen: boolean;
}

/** A repository in memory, with linear branches. */
export interface Repository {
  defaultBranch: string;
  branches: Map<string, string>;
  protectedBranches: Set<string>;
  commits: Map<string, StoredCommit>;
  requests: StoredRequest[];
  /** Contents by id. */
  blobs: Map<string, string>;
  /** Adds a commit with changed files to a branch, which is created from `from` if it doesn't exist. */
  commit(branch: string, files: Readonly<Record<string, string>>, how?: Partial<CommitHow>): string;
  /** Stores a commit that no branch has yet. */
  store(parent: string | undefined, files: ReadonlyMap<string, string>, how?: Partial<CommitHow>): string;
  /** Returns the files of a branch or commit. */
  files(ref: string): Record<string, string>;
  resolve(ref: string): string | undefined;
  /** Returns the commits of a branch that a base lacks, oldest first, and the files that differ from where it began. */
  compare(base: string, branch: string): { commits: StoredCommit[]; paths: string[] };
  /** Returns the last commit up to a ref that changed a file. */
  lastChange(ref: string, path: string): string | undefined;
  openRequests(): StoredRequest[];
}

interface CommitHow {
  author: CommitAuthor;
  message: string;
  from: string;
}

const PERSON: CommitAuthor = { name: "Ada", email: "ada@example.com", login: "ada" };

export const blobId = (text: string): string => createHash("sha1").update(`blob ${text}`).digest("hex");

export function createRepository(files: Readonly<Record<string, string>>): Repository {
  const commits = new Map<string, StoredCommit>();
  const branches = new Map<string, string>();
  const blobs = new Map<string, string>();
  const requests: StoredRequest[] = [];

  function lineOf(sha: string | undefined): StoredCommit[] {
    const line: StoredCommit[] = [];
    for (
      let at = sha === undefined ? undefined : commits.get(sha);
      at;
      at = at.parent === undefined ? undefined : commits.get(at.parent)
    )
      line.push(at);
    return line;
  }

  const repository: Repository = {
    defaultBranch: "main",
    branches,
    protectedBranches: new Set(["main"]),
    commits,
    requests,
    blobs,
    store(parent, content, { author = PERSON, message = "Change" } = {}) {
      const sha = createHash("sha1").update(`${commits.size} ${message}`).digest("hex");
      for (const text of content.values()) blobs.set(blobId(text), text);
      commits.set(sha, { sha, parent, message, author, files: content });
      return sha;
    },
    commit(branch, changed, how = {}) {
      const parent = branches.get(branch) ?? repository.resolve(how.from ?? "main");
      const before = parent === undefined ? [] : [...(commits.get(parent)?.files ?? [])];
      const sha = repository.store(parent, new Map([...before, ...Object.entries(changed)]), how);
      branches.set(branch, sha);
      return sha;
    },
    files: (ref) => Object.fromEntries(commits.get(repository.resolve(ref) ?? "")?.files ?? []),
    resolve: (ref) => branches.get(ref) ?? (commits.has(ref) ? ref : undefined),
    compare(base, branch) {
      const known = new Set(lineOf(repository.resolve(base)).map(({ sha }) => sha));
      const line = lineOf(repository.resolve(branch));
      const ahead = line.filter(({ sha }) => !known.has(sha));
      const began = line.find(({ sha }) => known.has(sha))?.files ?? new Map();
      const [head] = line;
      const paths = [...(head?.files ?? [])].filter(([path, text]) => began.get(path) !== text);
      return { commits: ahead.toReversed(), paths: paths.map(([path]) => path) };
    },
    lastChange(ref, path) {
      const line = lineOf(repository.resolve(ref));
      return line.find(({ files, parent }) => files.get(path) !== commits.get(parent ?? "")?.files.get(path))
        ?.sha;
    },
    openRequests: () => requests.filter(({ isOpen }) => isOpen),
  };
  repository.commit("main", files, { message: "Initial" });
  return repository;
}
