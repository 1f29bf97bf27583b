import { Type as t, type Static } from "@sinclair/typebox";

import type { Api } from "../code-host/api.ts";
import { step } from "../code-host/code-host.ts";
import { orWhen, type HostFailure } from "../code-host/failure.ts";
import { repositoryPath } from "../code-host/github.ts";
import { CodeRefusal, unlessMissing } from "./refusal.ts";
import type { CodeRepository, Head } from "./repository.ts";

const Repo = t.Object({ default_branch: t.String() });
const Commit = t.Object({ sha: t.String(), commit: t.Object({ tree: t.Object({ sha: t.String() }) }) });
const Tree = t.Object({
  truncated: t.Optional(t.Boolean()),
  tree: t.Array(t.Object({ path: t.String(), type: t.String(), mode: t.String(), sha: t.String() })),
});
const Blob = t.Object({ encoding: t.Literal("base64"), content: t.String() });

const LINK_MODE = "120000";

/** Returns a ref or path as steps of a URL. */
export const steps = (path: string): string => path.split("/").map(step).join("/");

/** Reads code through GitHub's REST API. */
export function githubCode({ api, repository }: { api: Api; repository: string }): CodeRepository {
  const repo = `/repos/${repositoryPath(repository)}`;
  const treeAt = (sha: string, query = ""): Promise<Static<typeof Tree>> =>
    api.ask({ path: `${repo}/git/trees/${step(sha)}${query}` }, Tree);
  const commitAt = (ref: string): Promise<Static<typeof Commit>> =>
    api.ask({ path: `${repo}/commits/${steps(ref)}` }, Commit);

  const headAt = async (ref: string): Promise<Head> => ({ ref, commit: (await commitAt(ref)).sha });

  /** Returns undefined if GitHub shows the repository: it answers 422 for a ref that doesn't exist. */
  async function orAbsent(failure: HostFailure): Promise<undefined> {
    const { default_branch: ref } = await api.ask({ path: repo }, Repo);
    if (failure.problem === "forbidden") await commitAt(ref);
  }

  /** Returns the id of a folder's tree; undefined if it doesn't exist. */
  async function treeOf(commit: string, dir: string): Promise<string | undefined> {
    let { sha } = (await commitAt(commit)).commit.tree;
    for (const name of dir === "" ? [] : dir.split("/")) {
      const { tree } = await treeAt(sha);
      const found = tree.find(({ path, type }) => path === name && type === "tree");
      if (!found) return undefined;
      ({ sha } = found);
    }
    return sha;
  }

  return {
    async head(given) {
      if (given !== undefined) return orWhen(["not_found", "forbidden"], headAt(given), orAbsent);
      const { default_branch: ref } = await api.ask({ path: repo }, Repo);
      return unlessMissing(headAt(ref));
    },
    async files(commit, dir) {
      const sha = await treeOf(commit, dir);
      if (sha === undefined) return undefined;
      const { tree, truncated } = await treeAt(sha, "?recursive=1");
      if (truncated === true) throw new CodeRefusal("folder_too_large");
      const files = tree.filter(({ type, mode }) => type === "blob" && mode !== LINK_MODE);
      return files.map(({ path, sha: blob }) => ({ path: dir === "" ? path : `${dir}/${path}`, blob }));
    },
    async content(blob) {
      const { content } = await api.ask({ path: `${repo}/git/blobs/${step(blob)}` }, Blob);
      return Buffer.from(content, "base64");
    },
  };
}
