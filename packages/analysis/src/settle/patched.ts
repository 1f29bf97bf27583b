import type { FixResult } from "@leeway/shared/contracts/analyzer/analysis";
import { applyPatch } from "diff";

interface CodeFile {
  path: string;
  text: string;
}

/** Applies the patches of a fix to the files it was made for. @throws {Error} if one doesn't fit */
export function patched<F extends CodeFile>(files: readonly F[], patches: FixResult["patches"]): F[] {
  const diffs = new Map(patches.map(({ path, diff }) => [path, diff]));
  return files.map((file) => {
    const diff = diffs.get(file.path);
    if (diff === undefined) return file;
    const text = applyPatch(file.text, diff, { autoConvertLineEndings: false });
    if (text === false) throw new Error("a patch doesn't fit the file it was made for");
    return { ...file, text };
  });
}
