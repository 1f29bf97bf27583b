import type { Settlement } from "@leeway/shared/contracts/analyzer/settlements";

/** Outcome of one change. */
export interface SettledChange extends Omit<Settlement, "patch" | "files"> {
  fingerprint: string;
  /** Address in the code, or the id of an undeclared resource. */
  name: string;
}

/** Result of `leeway settle`, also its JSON. Paths begin at `--root`; a server's at the root of the repository. */
export interface SettleResult {
  /** Unified diff of all changes; empty if no code has to change. */
  patch: string;
  /** The changed files with their whole content. */
  files: { path: string; content: string }[];
  changes: SettledChange[];
}
