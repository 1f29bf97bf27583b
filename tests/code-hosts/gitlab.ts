import { answerGitlab } from "./gitlab-repository.ts";
import type { Repository } from "./repository.ts";
import { json, paged, startFaultyServer, type FaultyServer, type ReceivedRequest } from "./server.ts";

interface Note {
  id: number;
  project: string;
  iid: number;
  body: string;
  author: User;
  discussion: string;
  system: boolean;
  awards: { name: string; user: User }[];
}

interface User {
  id: number;
  username: string;
}

interface Token {
  user: User;
  scopes: string[];
  revoked: boolean;
}

/** A GitLab with real merge requests, notes and members. Serves the part of the API that Leeway uses. */
export interface Gitlab extends FaultyServer {
  notes: Note[];
  /** Issues a token of a new user or of `user`. */
  issue(user?: User): string;
  revoke(token: string): void;
  /** Writes a note as `note.author` or as the default user. */
  write(body: string, note?: Partial<Note>): Note;
  /** Head commit by merge request number, in every project. */
  heads: Map<number, string>;
  /** Code by project. */
  code: Map<string, Repository>;
  setAccess(project: string, userId: number, level: number): void;
  /** Returns the notes of a merge request, without system notes. */
  texts(iid: number): string[];
}

type Handler = (call: {
  request: ReceivedRequest;
  user: User;
  project: string;
  parts: string[];
  sent: Record<string, string>;
}) => Response;

const DAY_MS = 86_400_000;
const LONGEST_NOTE = 1_000_000;
const notFound = (what: string): Response => json(404, { message: `404 ${what} Not Found` });

const emailOf = ({ username }: User): string => `${username}@noreply.example.com`;

/** Starts a GitLab. Every project has the `mergeRequests`. */
export function startGitlab({
  projects = ["platform/network"],
  mergeRequests = [1, 2, 3, 7],
}: { projects?: string[]; mergeRequests?: number[] } = {}): Gitlab {
  const tokens = new Map<string, Token>();
  const access = new Map<string, number>();
  const notes: Note[] = [];
  const heads = new Map<number, string>();
  const code = new Map<string, Repository>();
  let ids = 1_000;
  let users = 40;

  const newNote = (note: Partial<Note>): Note => {
    ids += 1;
    const author = { id: 5, username: "somebody" };
    const made = { id: ids, project: projects[0] ?? "", iid: 7, body: "", author, system: false };
    return { ...made, discussion: `d${ids}`, awards: [], ...note };
  };
  const shown = ({ id, body, author, system, iid }: Note): object => ({
    id,
    type: null,
    body,
    attachment: null,
    author: { ...author, name: author.username, state: "active", locked: false },
    system,
    noteable_type: "MergeRequest",
    noteable_iid: iid,
    resolvable: false,
    confidential: false,
  });
  const notesOf = (project: string, iid: string | undefined): Note[] =>
    notes.filter((note) => note.project === project && note.iid === Number(iid));
  const noteAt = (project: string, [iid, id]: string[]): Note | undefined =>
    notesOf(project, iid).find((note) => note.id === Number(id));
  const missing = (iid: string | undefined): boolean => !mergeRequests.includes(Number(iid));

  function add({ project, user, sent, parts: [iid] }: Parameters<Handler>[0], discussion?: string): Response {
    const body = sent["body"] ?? "";
    if (missing(iid)) return notFound("Merge Request");
    if (body === "") return json(400, { error: "body is missing" });
    if (body.length > LONGEST_NOTE)
      return json(400, { message: { note: [`is too long (maximum is ${LONGEST_NOTE} characters)`] } });
    const note = newNote({
      project,
      iid: Number(iid),
      body,
      author: user,
      ...(discussion && { discussion }),
    });
    notes.push(note);
    return json(201, shown(note));
  }

  const routes: readonly [method: string, path: RegExp, handler: Handler][] = [
    [
      "GET",
      /^$/,
      ({ parts: [iid] }) =>
        missing(iid)
          ? notFound("Not found")
          : json(200, { iid: Number(iid), sha: heads.get(Number(iid)) ?? null }),
    ],
    [
      "GET",
      /^\/notes$/,
      ({ request, project, parts: [iid] }) => {
        if (missing(iid)) return notFound("Merge Request");
        const found = notesOf(project, iid).toSorted((a, b) => b.id - a.id);
        const sorted = request.path.includes("sort=asc") ? found.toReversed() : found;
        return paged(sorted.map(shown), request, server.url);
      },
    ],
    ["POST", /^\/notes$/, (call) => add(call)],
    [
      "POST",
      /^\/discussions\/([^/]+)\/notes$/,
      (call) => {
        const [iid, discussion] = call.parts;
        const known = notesOf(call.project, iid).some((note) => note.discussion === discussion);
        return known ? add(call, discussion) : notFound("Discussion");
      },
    ],
    [
      "PUT",
      /^\/notes\/(\d+)$/,
      ({ project, user, parts, sent }) => {
        const note = noteAt(project, parts);
        if (!note) return notFound("Note");
        if (note.author.id !== user.id) return json(403, { message: "403 Forbidden" });
        note.body = sent["body"] ?? "";
        return json(200, shown(note));
      },
    ],
    [
      "DELETE",
      /^\/notes\/(\d+)$/,
      ({ project, user, parts }) => {
        const note = noteAt(project, parts);
        if (!note) return notFound("Note");
        if (note.author.id !== user.id) return json(403, { message: "403 Forbidden" });
        notes.splice(notes.indexOf(note), 1);
        return new Response(null, { status: 204 });
      },
    ],
    [
      "GET",
      /^\/notes\/(\d+)\/award_emoji$/,
      ({ request, project, parts }) => {
        const note = noteAt(project, parts);
        return note ? paged(note.awards, request, server.url) : notFound("Note");
      },
    ],
    [
      "POST",
      /^\/notes\/(\d+)\/award_emoji$/,
      ({ project, user, parts, sent }) => {
        const note = noteAt(project, parts);
        const name = sent["name"] ?? "";
        if (!note) return notFound("Note");
        if (note.awards.some((award) => award.name === name && award.user.id === user.id))
          return notFound("Award Emoji Name has already been taken");
        note.awards.push({ name, user });
        return json(201, { id: ids, name, user });
      },
    ],
  ];

  function atMergeRequest(request: ReceivedRequest, user: User, project: string, below: string): Response {
    const [, iid = "", rest = ""] = /^\/merge_requests\/(\d+)(\/.*)?$/.exec(below) ?? [];
    const route = routes.find(([method, path]) => method === request.method && path.test(rest));
    if (!route) return notFound("Path");
    const [, path, handler] = route;
    const parts = [iid, ...(path.exec(rest) ?? []).slice(1).map(decodeURIComponent)];
    const sent: Record<string, string> = request.body === "" ? {} : JSON.parse(request.body);
    return handler({ request, user, project, parts, sent });
  }

  function atProject(request: ReceivedRequest, user: User, path: string): Response {
    const [, encoded = "", below = ""] = /^\/projects\/([^/]+)(\/.*)?$/.exec(path) ?? [];
    const project = decodeURIComponent(encoded);
    if (!projects.includes(project)) return notFound("Project");
    const repository = code.get(project);
    return (
      atRepository(repository, request, user, below) ?? beside(repository, request, user, { project, below })
    );
  }

  function atRepository(
    repository: Repository | undefined,
    request: ReceivedRequest,
    user: User,
    below: string,
  ): Response | undefined {
    const author = { name: user.username, email: emailOf(user), login: user.username };
    return repository && answerGitlab(repository, { request, below, author, origin: server.url });
  }

  function beside(
    repository: Repository | undefined,
    request: ReceivedRequest,
    user: User,
    { project, below }: { project: string; below: string },
  ): Response {
    const permissions = { project_access: { access_level: 30 }, group_access: null };
    if (below === "")
      return json(200, {
        id: 1,
        path_with_namespace: project,
        permissions,
        default_branch: repository?.defaultBranch ?? null,
      });
    const [, member] = /^\/members\/all\/(\d+)$/.exec(below) ?? [];
    if (member === undefined) return atMergeRequest(request, user, project, below);
    const level = access.get(`${project} ${member}`);
    if (level === undefined) return notFound("Not found");
    return json(200, { id: Number(member), username: "u", state: "active", access_level: level });
  }

  function usual(request: ReceivedRequest): Response {
    const token = tokens.get(request.headers.get("private-token") ?? "");
    if (!token) return json(401, { message: "401 Unauthorized" });
    const { user, scopes, revoked } = token;
    if (revoked) return json(401, { error: "invalid_token", error_description: "Token was revoked." });
    const path = request.path.replace(/\?.*$/, "").replace(/^\/api\/v4/, "");
    const expires_at = new Date(Date.now() + 90 * DAY_MS).toISOString().slice(0, 10);
    switch (path) {
      case "/user":
        return json(200, {
          ...user,
          name: user.username,
          state: "active",
          bot: true,
          commit_email: emailOf(user),
        });
      case "/personal_access_tokens/self": {
        const about = { id: 1, name: "leeway", active: true, user_id: user.id };
        return json(200, { ...about, revoked, scopes, expires_at });
      }
      default:
        return atProject(request, user, path);
    }
  }

  const server = startFaultyServer(usual);
  return {
    ...server,
    notes,
    heads,
    code,
    issue(user) {
      users += 1;
      const value = `glpat-${crypto.randomUUID()}`;
      const owner = user ?? { id: users, username: `project_${users}_bot` };
      tokens.set(value, { user: owner, scopes: ["api"], revoked: false });
      return value;
    },
    revoke(value) {
      const token = tokens.get(value);
      if (token) token.revoked = true;
    },
    write(body, note = {}) {
      const made = newNote({ ...note, body });
      notes.push(made);
      return made;
    },
    setAccess: (project, userId, level) => void access.set(`${project} ${userId}`, level),
    texts: (iid) => notes.filter((note) => note.iid === iid && !note.system).map(({ body }) => body),
  };
}
