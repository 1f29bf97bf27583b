import type { CodeFile } from "@leeway/shared/contracts/webhooks/code";

/** Limit on the text of all folders together, in UTF-16 units. */
const MAX_KEPT = 16 << 20;

/** Folders as they were read last, by organization, repository, commit and folder. */
export interface CodeCache {
  get(key: string): readonly CodeFile[] | undefined;
  keep(key: string, files: readonly CodeFile[]): void;
}

/** Creates a cache that forgets the folders that weren't used for the longest time. */
export function createCodeCache(): CodeCache {
  const folders = new Map<string, { files: readonly CodeFile[]; size: number }>();
  let total = 0;

  function drop(key: string): void {
    total -= folders.get(key)?.size ?? 0;
    folders.delete(key);
  }

  return {
    get(key) {
      const found = folders.get(key);
      if (!found) return undefined;
      folders.delete(key);
      folders.set(key, found);
      return found.files;
    },
    keep(key, files) {
      drop(key);
      const size = files.reduce((sum, { path, text }) => sum + path.length + text.length, 0);
      folders.set(key, { files, size });
      total += size;
      for (const oldest of folders.keys()) {
        if (total <= MAX_KEPT) break;
        drop(oldest);
      }
    },
  };
}
