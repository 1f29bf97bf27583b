/** A file in a tree of a repository. */
export interface TreeFile {
  /** Path from the root of the repository. */
  path: string;
  /** Id of the content. */
  blob: string;
}

/** A commit, with the name by which it was found. */
export interface Head {
  ref: string;
  commit: string;
}

/** Code of a repository at a code host. All methods throw `HostFailure`. */
export interface CodeRepository {
  /** Returns the commit of a branch, tag or commit, by default of the default branch; undefined if there is none. */
  head(ref: string | undefined): Promise<Head | undefined>;
  /** Returns the files below a folder; undefined if it doesn't exist. @throws {CodeRefusal} `folder_too_large` */
  files(commit: string, dir: string): Promise<TreeFile[] | undefined>;
  /** Returns the content of a file. */
  content(blob: string): Promise<Buffer>;
}
