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
  /** User of the app; usernames of people can't contain its brackets. */
  botLogin: string;
}

/** Accesses a pull request through GitHub's REST API, as an installed app. */
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
    remove: (id) => api.send({ method: "DELETE", path: commentPath(id) }),
    react: (id, emoji) =>
      api.send({
        method: "POST",
        path: `${commentPath(id)}/reactions`,
        body: { content: REACTIONS[emoji] }, // GitHub ignores a repeated reaction
      }),
    reply: create, // GitHub has discussions only in reviews
    mayWrite({ id, username }) {
      const asked = api.ask({ path: `${repo}/collaborators/${step(username)}/permission` }, Permission);
      // The id is compared too, because the username may belong to another user by now.
      const may = asked.then(({ permission, user }) => user?.id === id && WRITERS.has(permission));
      return orWhen(["not_found"], may, () => false);
    },
  };
}

function own({ id, body = "", html_url: url }: Static<typeof Comment>): OwnComment {
  return { id, firstLine: firstLineOf(body), digest: digestOf(body), url };
}

/** Returns the path of a repository. @throws {HostFailure} `app_not_installed` for an impossible name */
export function repositoryPath(repository: string): string {
  const steps = repository.split("/");
  if (steps.length !== 2) throw new HostFailure("app_not_installed");
  return steps.map(step).join("/");
}
