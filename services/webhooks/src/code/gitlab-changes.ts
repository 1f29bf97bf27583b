import { Type as t, type Static } from "@sinclair/typebox";

import type { Api } from "../code-host/api.ts";
import { step } from "../code-host/code-host.ts";
import type { BranchCommit, Changes, Request } from "./changes.ts";
import { unlessMissing } from "./refusal.ts";

const Project = t.Object({ default_branch: t.Union([t.String(), t.Null()]) });
const BranchAnswer = t.Object({ protected: t.Boolean(), commit: t.Object({ id: t.String() }) });
const Commit = t.Object({
  id: t.String(),
  message: t.String(),
  author_name: t.String(),
  author_email: t.String(),
  committer_email: t.String(),
});
const Compared = t.Object({
  commits: t.Array(Commit),
  diffs: t.Array(t.Object({ old_path: t.String(), new_path: t.String() })),
});
const FileAnswer = t.Object({
  encoding: t.Literal("base64"),
  content: t.String(),
  last_commit_id: t.Optional(t.String()),
});
const MergeRequest = t.Object({
  iid: t.Integer(),
  web_url: t.String(),
  title: t.String(),
  description: t.Union([t.String(), t.Null()]),
  target_branch: t.String(),
});
const User = t.Object({ email: t.Optional(t.String()), commit_email: t.Optional(t.String()) });

/** Writes merge requests through GitLab's API, version 4. */
export function gitlabChanges({ api, repository }: { api: Api; repository: string }): Changes {
  const project = `/projects/${step(repository)}`;
  const branches = `${project}/repository/branches`;

  function fileAt(path: string, ref: string): Promise<Static<typeof FileAnswer> | undefined> {
    const query = new URLSearchParams({ ref }).toString();
    return unlessMissing(api.ask({ path: `${project}/repository/files/${step(path)}?${query}` }, FileAnswer));
  }

  return {
    async defaultBranch() {
      return (await api.ask({ path: project }, Project)).default_branch ?? undefined;
    },
    async branch(name) {
      const found = await unlessMissing(api.ask({ path: `${branches}/${step(name)}` }, BranchAnswer));
      return found && { commit: found.commit.id, isProtected: found.protected };
    },
    async compare(from, to) {
      const query = new URLSearchParams({ from, to, straight: "false" }).toString();
      const { commits, diffs } = await api.ask({ path: `${project}/repository/compare?${query}` }, Compared);
      const { email, commit_email: commitEmail = email } = await api.ask({ path: "/user" }, User);
      const paths = diffs.flatMap(({ old_path: old, new_path: path }) => [old, path]);
      return { commits: commits.map((commit) => shown(commit, commitEmail)), paths: [...new Set(paths)] };
    },
    async text(path, ref) {
      const found = await fileAt(path, ref);
      return found && Buffer.from(found.content, "base64").toString();
    },
    async commit({ branch, parent, isNew, message, files }) {
      const actions: object[] = [];
      for (const { path, text } of files) {
        const content = Buffer.from(text).toString("base64");
        // GitLab rejects the commit if the file has been changed since.
        const last = isNew ? undefined : (await fileAt(path, parent))?.last_commit_id;
        const guard = last !== undefined && { last_commit_id: last };
        actions.push({ action: "update", file_path: path, content, encoding: "base64", ...guard });
      }
      const start = isNew && { start_sha: parent };
      const body = { branch, ...start, commit_message: message, actions };
      return api.send({ method: "POST", path: `${project}/repository/commits`, body });
    },
    ...requestsOf(api, project),
    removeBranch: (name) => api.send({ method: "DELETE", path: `${branches}/${step(name)}` }),
  };
}

/** Merge requests of a project. */
function requestsOf(api: Api, project: string): Pick<Changes, "openRequest" | "create" | "update" | "close"> {
  const requests = `${project}/merge_requests`;
  return {
    async openRequest(branch, base) {
      const query = new URLSearchParams({ state: "opened", source_branch: branch, target_branch: base });
      const open = await api.ask({ path: `${requests}?${query.toString()}` }, t.Array(MergeRequest));
      const found = open.find(({ target_branch: target }) => target === base);
      return found && requestOf(found);
    },
    async create(source_branch, target_branch, { title, body: description }) {
      const body = { source_branch, target_branch, title, description, remove_source_branch: true };
      return requestOf(await api.ask({ method: "POST", path: requests, body }, MergeRequest));
    },
    update: (number, { title, body: description }) =>
      api.send({ method: "PUT", path: `${requests}/${number}`, body: { title, description } }),
    close: (number) =>
      api.send({ method: "PUT", path: `${requests}/${number}`, body: { state_event: "close" } }),
  };
}

/** A personal token has its person's address. Then only the message shows who wrote a commit. */
function shown(
  {
    id: sha,
    message,
    author_name: author,
    author_email: wrote,
    committer_email: made,
  }: Static<typeof Commit>,
  own: string | undefined,
): BranchCommit {
  return { sha, message, author, isOwn: own !== undefined && wrote === own && made === own };
}

function requestOf({ iid: number, web_url: url, title, description }: Static<typeof MergeRequest>): Request {
  return { number, url, title, body: description ?? "" };
}
