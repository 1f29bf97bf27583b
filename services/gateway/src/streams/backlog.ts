import type { OrganizationChange } from "@leeway/shared/contracts/gateway/changes";

const MOST = 1_000;

/** The latest changes of all organizations, so that a client that was away for a moment misses none. */
export interface Backlog {
  add(change: OrganizationChange): void;
  /** Returns the position after the latest change. */
  position(): string;
  /** Returns the changes after a position; undefined if they aren't known, such as those of another gateway. */
  since(position: string): OrganizationChange[] | undefined;
  /** Makes all earlier positions unknown, because changes were missed. */
  forget(): void;
}

export function createBacklog(): Backlog {
  let name = crypto.randomUUID();
  let count = 0;
  let kept: OrganizationChange[] = [];
  return {
    add(change) {
      count += 1;
      kept.push(change);
      if (kept.length > 2 * MOST) kept = kept.slice(-MOST);
    },
    position: () => `${name}.${count}`,
    since(position) {
      const [of, at = ""] = position.split(".");
      const missed = count - Number(at);
      if (of !== name || !/^\d{1,15}$/.test(at) || missed < 0 || missed > kept.length) return undefined;
      return kept.slice(kept.length - missed);
    },
    forget() {
      name = crypto.randomUUID();
      kept = [];
    },
  };
}
