import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import https from "node:https";
import { text as consume } from "node:stream/consumers";

import { isObject, text } from "@leeway/shared/values/json";

/** Answers a request. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

interface Comment {
  id: number;
  project: string;
  mergeRequest: number;
  author: string;
  body: string;
  awards: string[];
}

interface AccessToken {
  name: string;
  username: string;
  scopes: string[];
  /** Day of expiry as `YYYY-MM-DD`. */
  expires_at: string | null;
  revoked: boolean;
}

/** A code host with the part of GitLab's API that Leeway uses, and with selectable faults. */
export interface CodeHost {
  url: string;
  /** `host:port`, for `EGRESS_ALLOW`. */
  host: string;
  requests: ReceivedRequest[];
  comments: Comment[];
  /** Issues a token, which is valid by default. */
  issue(token?: Partial<AccessToken>): string;
  /** Answers requests whose path and query match `path`. The latest answer comes first. */
  answerWith(answer: Answer, path?: RegExp): void;
  /** Clears all answers of `answerWith`. */
  answerAsUsual(): void;
  stop(): Promise<void>;
}

const DEVELOPER = 30;
const DAY_MS = 86_400_000;

/** Returns the UTC date `days` after `now`. */
export function dayFrom(now: Date, days: number): string {
  return new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10);
}

/** Answers with JSON. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (_, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };
}

/** Answers with any bytes. */
export function bytes(
  status: number,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): Answer {
  return (_, response) => response.writeHead(status, headers).end(body);
}

export const redirect = (to: string): Answer => bytes(302, "moved", { location: to });

/** Never answers. */
export const hang: Answer = () => undefined;

/** Closes the connection without an answer. */
export const reset: Answer = (request) => void request.socket.destroy();

/** Closes the connection in the middle of the answer. */
export const truncated: Answer = (request, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  response.write('{"name":"ci","active":true', () => setTimeout(() => request.socket.destroy(), 20));
};

/** Sends one byte at a time and never ends. */
export const trickle: Answer = (_, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  const timer = setInterval(() => response.write(" "), 20);
  response.on("close", () => clearInterval(timer));
};

/** Answers with valid JSON of this size. */
export const flood = (size: number): Answer => bytes(200, JSON.stringify("x".repeat(size)));

/** Starts a host at 127.0.0.1 with one project and no tokens. With a certificate it speaks TLS. */
export async function startCodeHost({
  tls,
  project = "platform/network",
}: { tls?: { cert: string; key: string }; project?: string } = {}): Promise<CodeHost> {
  const tokens = new Map<string, AccessToken>();
  const comments: Comment[] = [];
  const requests: ReceivedRequest[] = [];
  let chosen: { path: RegExp; answer: Answer }[] = [];

  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "", url: path = "", headers } = request;
    const received = { method, path, headers, body: await consume(request) };
    requests.push(received);
    const answer = chosen.find((candidate) => candidate.path.test(path))?.answer;
    (answer ?? usualAnswer({ tokens, comments, project }, received))(request, response);
  };
  const listener = (request: IncomingMessage, response: ServerResponse): void =>
    void receive(request, response);
  const server = tls ? https.createServer(tls, listener) : http.createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;

  return {
    url: `${tls ? "https" : "http"}://${host}`,
    host,
    requests,
    comments,
    issue(token = {}) {
      const value = `glpat-${crypto.randomUUID()}`;
      const expires_at = dayFrom(new Date(), 90);
      const good = { name: "leeway", username: "project_1_bot", scopes: ["api"], expires_at, revoked: false };
      tokens.set(value, { ...good, ...token });
      return value;
    },
    answerWith(answer, path = /./) {
      chosen = [{ path, answer }, ...chosen];
    },
    answerAsUsual() {
      chosen = [];
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface State {
  tokens: Map<string, AccessToken>;
  comments: Comment[];
  project: string;
}

interface Call {
  state: State;
  token: AccessToken;
  /** Variable parts of the path, decoded. */
  parts: string[];
  /** Returns a string member of the body. */
  field(name: string): string;
}

const PROJECT_ID = 1;
const USER_ID = 7;
const notFound = (what: string): Answer => json(404, { message: `404 ${what} Not Found` });

const ROUTES: readonly [method: string, path: RegExp, answer: (call: Call) => Answer][] = [
  ["GET", /^\/personal_access_tokens\/self$/, self],
  ["GET", /^\/user$/, ({ token }) => json(200, userOf(token))],
  ["GET", /^\/projects\/([^/]+)$/, ({ state }) => json(200, projectOf(state))],
  [
    "GET",
    /^\/projects\/([^/]+)\/members\/all\/(\d+)$/,
    ({ token }) => json(200, { ...userOf(token), access_level: DEVELOPER }),
  ],
  ["GET", /^\/projects\/([^/]+)\/merge_requests\/(\d+)\/notes$/, listComments],
  ["POST", /^\/projects\/([^/]+)\/merge_requests\/(\d+)\/notes$/, addComment],
  ["PUT", /^\/projects\/([^/]+)\/merge_requests\/(\d+)\/notes\/(\d+)$/, changeComment],
  ["POST", /^\/projects\/([^/]+)\/merge_requests\/(\d+)\/notes\/(\d+)\/award_emoji$/, award],
  [
    "POST",
    /^\/projects\/([^/]+)\/statuses\/([0-9a-f]{40})$/,
    ({ parts: [, sha], field }) => json(201, { id: 1, sha, status: field("state"), name: field("name") }),
  ],
];

function usualAnswer(state: State, { method, path, headers, body }: ReceivedRequest): Answer {
  const token = tokenOf(state.tokens, headers);
  if (typeof token === "function") return token;
  const [, resource = ""] = /\/api\/v4(\/[^?]*)/.exec(path) ?? [];
  const route = ROUTES.find(([routeMethod, pattern]) => routeMethod === method && pattern.test(resource));
  if (!route) return notFound("Path");
  const [, pattern, answer] = route;
  const parts = pattern.exec(resource)?.slice(1).map(decodeURIComponent) ?? [];
  const [project = state.project] = parts;
  if (project !== state.project && project !== String(PROJECT_ID)) return notFound("Project");
  return answer({ state, token, parts, field: (name) => fieldOf(body, name) });
}

function fieldOf(body: string, name: string): string {
  const sent: unknown = JSON.parse(body);
  return (isObject(sent) && text(sent, name)) || "";
}

/** Returns the request's token, or the refusal as in GitLab's api_guard.rb. */
function tokenOf(tokens: State["tokens"], headers: IncomingHttpHeaders): AccessToken | Answer {
  const token = tokens.get(String(headers["private-token"]));
  if (token === undefined) return json(401, { message: "401 Unauthorized" });
  const invalid = (error_description: string): Answer =>
    json(
      401,
      { error: "invalid_token", error_description },
      { "www-authenticate": 'Bearer realm="The API"' },
    );
  if (token.revoked) return invalid("Token was revoked. You have to re-authorize from the user.");
  if (token.expires_at !== null && token.expires_at <= dayFrom(new Date(), 0))
    return invalid("Token is expired. You can either do re-authorization or token refresh.");
  return token;
}

function self({ token: { name, revoked, scopes, expires_at } }: Call): Answer {
  return json(200, {
    id: 42,
    name,
    revoked,
    created_at: "2026-01-31T03:53:24.000Z",
    description: "",
    scopes,
    user_id: USER_ID,
    last_used_at: "2026-02-01T18:04:52.000Z",
    active: true,
    expires_at,
  });
}

function userOf({ username, name }: AccessToken): object {
  return { id: USER_ID, username, name, state: "active", locked: false, bot: true };
}

function projectOf({ project }: State): object {
  return {
    id: PROJECT_ID,
    path_with_namespace: project,
    default_branch: "main",
    visibility: "private",
    archived: false,
    merge_requests_enabled: true,
    merge_requests_access_level: "enabled",
    permissions: {
      project_access: { access_level: DEVELOPER, notification_level: 3 },
      group_access: null,
    },
  };
}

const noteOf = ({ id, body, author, mergeRequest }: Comment): object => ({
  id,
  body,
  author: { id: USER_ID, username: author },
  system: false,
  noteable_type: "MergeRequest",
  noteable_iid: mergeRequest,
});

function listComments({ state, parts: [, iid] }: Call): Answer {
  const found = state.comments.filter(({ mergeRequest }) => mergeRequest === Number(iid));
  return json(200, found.map(noteOf));
}

function addComment({ state, token, parts: [, iid], field }: Call): Answer {
  const comment: Comment = {
    id: state.comments.length + 1,
    project: state.project,
    mergeRequest: Number(iid),
    author: token.username,
    body: field("body"),
    awards: [],
  };
  state.comments.push(comment);
  return json(201, noteOf(comment));
}

function changeComment({ state, parts: [, , id], field }: Call): Answer {
  const comment = state.comments.find((candidate) => candidate.id === Number(id));
  if (!comment) return notFound("Note");
  comment.body = field("body");
  return json(200, noteOf(comment));
}

function award({ state, parts: [, , id], field }: Call): Answer {
  // A comment with a command is written by a person, so the host may not have it.
  state.comments.find((candidate) => candidate.id === Number(id))?.awards.push(field("name"));
  return json(201, { id: 1, name: field("name") });
}
