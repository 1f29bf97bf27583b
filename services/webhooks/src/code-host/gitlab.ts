import { Type as t, type Static } from "@sinclair/typebox";

import type { Api } from "./api.ts";
import { digestOf, firstLineOf, step, type CodeHost, type Emoji, type OwnComment } from "./code-host.ts";
import { orWhen } from "./failure.ts";

const LONGEST_BODY = 1_000_000;
const DEVELOPER = 30;

const User = t.Object({ id: t.Integer() });
const Note = t.Object({ id: t.Integer(), body: t.String(), author: User, system: t.Optional(t.Boolean()) });
const Head = t.Object({ sha: t.Union([t.String(), t.Null()]) });
const Award = t.Object({ name: t.String(), user: User });
const Member = t.Object({ id: t.Integer(), access_level: t.Integer() });

interface MergeRequest {
  /** URL of the host's web pages. */
  baseUrl: string;
  repository: string;
  number: number;
}

/** Accesses a merge request through GitLab's API, version 4. */
export function gitlab(api: Api, { baseUrl, repository, number }: MergeRequest): CodeHost {
  const project = `/projects/${step(repository)}`;
  const request = `${project}/merge_requests/${number}`;
  const notes = `${request}/notes`;
  const page = `${baseUrl}/${repository.split("/").map(step).join("/")}/-/merge_requests/${number}`;

  const own = ({ id, body }: Static<typeof Note>): OwnComment => ({
    id,
    firstLine: firstLineOf(body),
    digest: digestOf(body),
    url: `${page}#note_${id}`,
  });
  const me = async (): Promise<number> => (await api.ask({ path: "/user" }, User)).id;
  const create = async (body: string): Promise<OwnComment> =>
    own(await api.ask({ method: "POST", path: notes, body: { body } }, Note));

  return {
    longestBody: LONGEST_BODY,
    head: async () => (await api.ask({ path: request }, Head)).sha ?? undefined,
    async ownComments() {
      const id = await me();
      const found: OwnComment[] = [];
      for await (const note of api.list(`${notes}?per_page=100&order_by=created_at&sort=asc`, Note)) {
        if (note.author.id === id && note.system !== true) found.push(own(note));
      }
      return found;
    },
    create,
    update: async (id, body) =>
      own(await api.ask({ method: "PUT", path: `${notes}/${id}`, body: { body } }, Note)),
    remove: (id) => api.send({ method: "DELETE", path: `${notes}/${id}` }),
    async react(commentId, name: Emoji) {
      const awards = `${notes}/${commentId}/award_emoji`;
      const id = await me();
      for await (const award of api.list(`${awards}?per_page=100`, Award)) {
        if (award.name === name && award.user.id === id) return;
      }
      await api.send({ method: "POST", path: awards, body: { name } });
    },
    async reply(body, discussionId) {
      if (discussionId === undefined) return create(body);
      const path = `${request}/discussions/${step(discussionId)}/notes`;
      const replied = api.ask({ method: "POST", path, body: { body } }, Note).then(own);
      // The discussion was deleted or doesn't accept replies.
      return orWhen(["not_found", "forbidden"], replied, () => create(body));
    },
    mayWrite({ id }) {
      const asked = api.ask({ path: `${project}/members/all/${id}` }, Member);
      const may = asked.then((member) => member.id === id && member.access_level >= DEVELOPER);
      return orWhen(["not_found"], may, () => false);
    },
  };
}
