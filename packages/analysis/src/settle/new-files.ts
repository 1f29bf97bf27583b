import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";

/** Returns a unified diff that adds files. */
export function patchOfNewFiles(files: readonly { path: string; content: string }[]): string {
  const patches = files.map(({ path, content }) =>
    createTwoFilesPatch("/dev/null", `b/${path}`, "", content, undefined, undefined, {
      headerOptions: FILE_HEADERS_ONLY,
    }),
  );
  return patches.join("");
}
