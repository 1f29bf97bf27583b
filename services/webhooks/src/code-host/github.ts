import { Type as t, type Static } from "@sinclair/typebox";

import type { Api } from "./api.ts";
import { digestOf, firstLineOf, step, type CodeHost, type Emoji, type OwnComment } from "./code-host.ts";
import { HostFailure, orWhen } from "./failure.ts";

const LONGEST_BODY = 65_536;
const REACTIONS: Readonly<Record<Emoji, string>> = { eyes: "eyes", thumbsup: "+1", confused: "confused" };
const WRITERS: ReadonlySet<string> = new Set(["admin", "maintain", "write"]);

const User = t.Object({ id: t.Integer(), login: t.String() });
const Comment = t.Object({
  id: t.Integer(),
  body: t.Optional(t.String()),
  user: t.Union([User, t.Null()]),
  html_url: t.Optional(t.String()),
});
const Pull = t.Object({ head: t.Object({ sha: t.String() }) });
const Permission = t.Object({ permission: t.String(), user: t.Union([User, t.Null()]) });

interface PullRequest {
  repository: string;
  number: number;
  /** The app's user; no person's name can hold its brackets. */
  botLogin: string;
}

/** A pull request over GitHub's REST API, as an installed app. */
export function github(api: Api, { repository, number, botLogin }: PullRequest): CodeHost {
  const repo = `/repos/${repositoryPath(repository)}`;
  const comments = `${repo}/issues/${number}/comments`;
  const commentPath = (id: number): string => `${repo}/issues/comments/${id}`;

  const create = async (body: string): Promise<OwnComment> =>
    own(await api.ask({ method: "POST", path: comments, body: { body } }, Comment));

  return {
    longestBody: LONGEST_BODY,
    head: async () => (await api.ask({ path: `${repo}/pulls/${number}` }, Pull)).head.sha,
    async ownComments() {
      const found: OwnComment[] = [];
      for await (const comment of api.list(`${comments}?per_page=100`, Comment)) {
        if (comment.user?.login === botLogin) found.push(own(comment));
      }
      return found;
    },
    create,
    update: async (id, body) =>
      own(await api.ask({ method: "PATCH", path: commentPath(id), body: { body } }, Comment)),
    remove: (id) => api.tell({ method: "DELETE", path: commentPath(id) }),
    react: (id, emoji) =>
      api.tell({
        method: "POST",
        path: `${commentPath(id)}/reactions`,
        body: { content: REACTIONS[emoji] }, // GitHub itself adds none twice
      }),
    reply: create, // its pull requests have no discussions outside of reviews
    mayWrite({ id, username }) {
      const asked = api.ask({ path: `${repo}/collaborators/${step(username)}/permission` }, Permission);
      // By the id too: the name may be somebody else's by now.
      const may = asked.then(({ permission, user }) => user?.id === id && WRITERS.has(permission));
      return orWhen(["not_found"], may, () => false);
    },
  };
}

function own({ id, body = "", html_url: url }: Static<typeof Comment>): OwnComment {
  return { id, firstLine: firstLineOf(body), digest: digestOf(body), url };
}

/** @throws {HostFailure} for what can't be a repository there, so that no app can be installed on it either */
export function repositoryPath(repository: string): string {
  const steps = repository.split("/");
  if (steps.length !== 2) throw new HostFailure("app_not_installed");
  return steps.map(step).join("/");
}
