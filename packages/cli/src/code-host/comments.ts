import { member, text, type JsonObject } from "@leeway/shared/values/json";
import { once } from "@leeway/shared/values/once";

import { Failure } from "../failure.ts";
import type { HostName } from "./access.ts";
import type { HostApi } from "./host-api.ts";

/** A comment that the token's user wrote. */
export interface OwnComment {
  id: number;
  body: string;
  url: string;
}

/** Comments of one pull or merge request. */
export interface Comments {
  longestBody: number;
  own(): Promise<OwnComment[]>;
  create(body: string): Promise<OwnComment>;
  /** Returns undefined if the comment was deleted in the meantime. */
  update(id: number, body: string): Promise<OwnComment | undefined>;
  remove(id: number): Promise<void>;
}

export interface Place {
  repository: string;
  number: number;
}

/** Author of comments that a job writes with GitHub's own token. */
const ACTIONS_BOT = "github-actions[bot]";
const VIEWER = { query: "{ viewer { login } }" };

const OPENERS: Readonly<Record<HostName, (api: HostApi, place: Place) => Comments>> = {
  github: (api, { repository, number }) => {
    const repo = `/repos/${repository.split("/").map(encodeURIComponent).join("/")}`;
    const me = once(async () => {
      // Tokens of apps, as that of a job, may only ask by GraphQL, which is beside the REST API's version.
      const user =
        (await api.askUnless(403, { method: "GET", path: "/user" })) ??
        viewerIn(await api.askUnless(403, { method: "POST", path: "/../graphql", body: VIEWER }));
      return text(user, "login") ?? ACTIONS_BOT;
    });
    return commentsOf(api, {
      longestBody: 65_536,
      comments: `${repo}/issues/${number}/comments`,
      comment: `${repo}/issues/comments`,
      update: "PATCH",
      isOwn: async (row) => text(member(row, "user"), "login") === (await me()),
    });
  },
  gitlab: (api, { repository, number }) => {
    const notes = `/projects/${encodeURIComponent(repository)}/merge_requests/${number}/notes`;
    const me = once(async () => {
      // A job token may only ask for its job, whose user writes the comment.
      const user = await api.askUnless(401, { method: "GET", path: "/user" });
      return (user ?? member(await api.ask({ method: "GET", path: "/job" }), "user"))?.["id"];
    });
    return commentsOf(api, {
      longestBody: 1_000_000,
      comments: notes,
      comment: notes,
      update: "PUT",
      isOwn: async (row) => row["system"] !== true && member(row, "author")?.["id"] === (await me()),
    });
  },
};

/** Opens the comments of a pull or merge request. */
export function openComments(host: HostName, api: HostApi, place: Place): Comments {
  return OPENERS[host](api, place);
}

interface Routes {
  longestBody: number;
  /** Path of all comments. */
  comments: string;
  /** Path above a comment's id. */
  comment: string;
  update: "PATCH" | "PUT";
  isOwn(row: JsonObject): Promise<boolean>;
}

function commentsOf(api: HostApi, { longestBody, comments, comment, update, isOwn }: Routes): Comments {
  return {
    longestBody,
    async own() {
      const found: OwnComment[] = [];
      for await (const row of api.list(comments)) if (await isOwn(row)) found.push(commentIn(row));
      return found.toSorted((a, b) => a.id - b.id);
    },
    create: async (body) => commentIn(await api.ask({ method: "POST", path: comments, body: { body } })),
    async update(id, body) {
      const row = await api.askUnless(404, { method: update, path: `${comment}/${id}`, body: { body } });
      return row && commentIn(row);
    },
    remove: async (id) => void (await api.askUnless(404, { method: "DELETE", path: `${comment}/${id}` })),
  };
}

function commentIn(row: JsonObject): OwnComment {
  const { id } = row;
  if (typeof id !== "number")
    throw new Failure("refused", "no comment posted: the code host's answer is unknown");
  return { id, body: text(row, "body") ?? "", url: text(row, "html_url") ?? "" };
}

function viewerIn(answer: JsonObject | undefined): JsonObject | undefined {
  return member(member(answer, "data"), "viewer");
}
