import { Type as t, type Static } from "@sinclair/typebox";

import type { Api } from "../code-host/api.ts";
import { repositoryPath } from "../code-host/github.ts";
import type { BranchCommit, Changes, NewCommit, Request } from "./changes.ts";
import { steps } from "./github-code.ts";
import { unlessMissing } from "./refusal.ts";

const Repo = t.Object({ default_branch: t.String() });
const BranchAnswer = t.Object({ protected: t.Boolean(), commit: t.Object({ sha: t.String() }) });
const User = t.Union([t.Object({ login: t.String() }), t.Null()]);
const Commit = t.Object({
  sha: t.String(),
  author: User,
  committer: User,
  commit: t.Object({ message: t.String(), author: t.Object({ name: t.String() }) }),
});
const Compared = t.Object({
  commits: t.Array(Commit),
  files: t.Optional(t.Array(t.Object({ filename: t.String() }))),
});
const Made = t.Object({ sha: t.String() });
const GitCommit = t.Object({ tree: t.Object({ sha: t.String() }) });
const FileAnswer = t.Object({ encoding: t.Literal("base64"), content: t.String() });
const Pull = t.Object({
  number: t.Integer(),
  html_url: t.String(),
  title: t.String(),
  body: t.Union([t.String(), t.Null()]),
  base: t.Object({ ref: t.String() }),
});

/** GitHub itself, as the committer of signed commits. */
const WEB_FLOW = "web-flow";

interface Access {
  api: Api;
  repository: string;
  /** User of the app; usernames of people can't contain its brackets. */
  botLogin: string;
}

/** Writes pull requests through GitHub's REST API, as an installed app. */
export function githubChanges({ api, repository, botLogin }: Access): Changes {
  const repo = `/repos/${repositoryPath(repository)}`;
  const [owner = ""] = repository.split("/");

  return {
    defaultBranch: async () => (await api.ask({ path: repo }, Repo)).default_branch,
    async branch(name) {
      const found = await unlessMissing(api.ask({ path: `${repo}/branches/${steps(name)}` }, BranchAnswer));
      return found && { commit: found.commit.sha, isProtected: found.protected };
    },
    async compare(base, branch) {
      const range = `${steps(base)}...${steps(branch)}`;
      const { commits, files = [] } = await api.ask({ path: `${repo}/compare/${range}` }, Compared);
      const paths = files.map(({ filename }) => filename);
      return { commits: commits.map((commit) => shown(commit, botLogin)), paths };
    },
    async text(path, ref) {
      const query = new URLSearchParams({ ref }).toString();
      const found = await unlessMissing(
        api.ask({ path: `${repo}/contents/${steps(path)}?${query}` }, FileAnswer),
      );
      return found && Buffer.from(found.content, "base64").toString();
    },
    commit: (commit) => commitTo(api, repo, commit),
    ...requestsOf(api, repo, owner),
    removeBranch: (name) => api.send({ method: "DELETE", path: `${repo}/git/refs/heads/${steps(name)}` }),
  };
}

/** Pull requests of a repository. */
function requestsOf(
  api: Api,
  repo: string,
  owner: string,
): Pick<Changes, "openRequest" | "create" | "update" | "close"> {
  const pulls = `${repo}/pulls`;
  return {
    async openRequest(branch, base) {
      const query = new URLSearchParams({ state: "open", head: `${owner}:${branch}`, base });
      const open = await api.ask({ path: `${pulls}?${query.toString()}` }, t.Array(Pull));
      const found = open.find((pull) => pull.base.ref === base);
      return found && requestOf(found);
    },
    async create(head, base, { title, body }) {
      const made = await api.ask({ method: "POST", path: pulls, body: { head, base, title, body } }, Pull);
      return requestOf(made);
    },
    update: (number, { title, body }) =>
      api.send({ method: "PATCH", path: `${pulls}/${number}`, body: { title, body } }),
    close: (number) => api.send({ method: "PATCH", path: `${pulls}/${number}`, body: { state: "closed" } }),
  };
}

/** Adds a commit. GitHub rejects it if the branch has another head by then. */
async function commitTo(
  api: Api,
  repo: string,
  { branch, parent, isNew, message, files }: NewCommit,
): Promise<void> {
  const { tree } = await api.ask({ path: `${repo}/git/commits/${parent}` }, GitCommit);
  const entries = files.map(({ path, text: content }) => ({ path, mode: "100644", type: "blob", content }));
  const made = await api.ask(
    { method: "POST", path: `${repo}/git/trees`, body: { base_tree: tree.sha, tree: entries } },
    Made,
  );
  const { sha } = await api.ask(
    {
      method: "POST",
      path: `${repo}/git/commits`,
      body: { message, tree: made.sha, parents: [parent] },
    },
    Made,
  );
  if (isNew) {
    const body = { ref: `refs/heads/${branch}`, sha };
    return api.send({ method: "POST", path: `${repo}/git/refs`, body });
  }
  const path = `${repo}/git/refs/heads/${steps(branch)}`;
  return api.send({ method: "PATCH", path, body: { sha, force: false } });
}

function shown({ sha, author, committer, commit }: Static<typeof Commit>, botLogin: string): BranchCommit {
  const makers = [botLogin, WEB_FLOW];
  const isOwn = author?.login === botLogin && makers.includes(committer?.login ?? "");
  return { sha, message: commit.message, author: author?.login ?? commit.author.name, isOwn };
}

function requestOf({ number, html_url: url, title, body }: Static<typeof Pull>): Request {
  return { number, url, title, body: body ?? "" };
}
