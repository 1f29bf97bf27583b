import { Type as t } from "@sinclair/typebox";

import type { Api } from "../code-host/api.ts";
import { step } from "../code-host/code-host.ts";
import { CodeRefusal, unlessMissing } from "./refusal.ts";
import type { CodeRepository, TreeFile } from "./repository.ts";

const Project = t.Object({ default_branch: t.Union([t.String(), t.Null()]) });
const Commit = t.Object({ id: t.String() });
const Entry = t.Object({ id: t.String(), type: t.String(), path: t.String(), mode: t.String() });
const Blob = t.Object({ encoding: t.Literal("base64"), content: t.String() });

/** Limit on the files and folders of a tree; GitLab lists a hundred in each response. */
const MAX_ENTRIES = 5_000;
const LINK_MODE = "120000";

/** Reads code through GitLab's API, version 4. */
export function gitlabCode({ api, repository }: { api: Api; repository: string }): CodeRepository {
  const project = `/projects/${step(repository)}`;

  async function defaultBranch(): Promise<string | undefined> {
    return (await api.ask({ path: project }, Project)).default_branch ?? undefined;
  }

  return {
    async head(given) {
      const ref = given ?? (await defaultBranch());
      if (ref === undefined) return undefined;
      const asked = api.ask({ path: `${project}/repository/commits/${step(ref)}` }, Commit);
      const found = await unlessMissing(asked);
      return found && { ref, commit: found.id };
    },
    files: (commit, dir) => unlessMissing(treeOf(api, `${project}/repository`, { commit, dir })),
    async content(blob) {
      const { content } = await api.ask({ path: `${project}/repository/blobs/${step(blob)}` }, Blob);
      return Buffer.from(content, "base64");
    },
  };
}

async function treeOf(
  api: Api,
  repository: string,
  { commit, dir }: { commit: string; dir: string },
): Promise<TreeFile[]> {
  const query = new URLSearchParams({ ref: commit, path: dir, recursive: "true", per_page: "100" });
  const files: TreeFile[] = [];
  let entries = 0;
  for await (const { id, type, path, mode } of api.list(`${repository}/tree?${query.toString()}`, Entry)) {
    entries += 1;
    if (entries > MAX_ENTRIES) throw new CodeRefusal("folder_too_large");
    if (type === "blob" && mode !== LINK_MODE) files.push({ path, blob: id });
  }
  return files;
}
