import { generateKeyPairSync, verify, type KeyObject } from "node:crypto";

import { answerGithub } from "./github-repository.ts";
import type { Repository } from "./repository.ts";
import { json, paged, startFaultyServer, type FaultyServer, type ReceivedRequest } from "./server.ts";

interface User {
  id: number;
  login: string;
  type: "Bot" | "User";
}

interface IssueComment {
  id: number;
  repository: string;
  number: number;
  body: string;
  user: User;
  reactions: { content: string; user: User }[];
}

interface AccessToken {
  repository: string;
  expiresAt: number;
}

/** A GitHub with an app that is installed in some repositories. Serves the part of the API that Leeway uses. */
export interface Github extends FaultyServer {
  appId: string;
  privateKey: KeyObject;
  comments: IssueComment[];
  /** Code by repository. */
  code: Map<string, Repository>;
  /** Head commit by pull request number, in every repository. */
  heads: Map<number, string>;
  install(repository: string): void;
  /** Content of the file that lists a repository's organizations; 404 without an entry. */
  named: Map<string, string>;
  uninstall(repository: string): void;
  /** Valid installation tokens. */
  tokens: Map<string, AccessToken>;
  /** Writes a comment as `comment.user` or as the default user. */
  write(body: string, comment?: Partial<IssueComment>): IssueComment;
  setPermission(repository: string, user: { id: number; login: string }, permission: string): void;
  texts(number: number): string[];
}

interface Call {
  request: ReceivedRequest;
  repository: string;
  parts: string[];
  sent: Record<string, string>;
}

const HOUR_MS = 60 * 60 * 1000;
const LONGEST_COMMENT = 65_536;
const KEYS = generateKeyPairSync("rsa", { modulusLength: 2048 });
const notFound = (): Response => json(404, { message: "Not Found" });

const tooLong = (body: string): boolean => body.length > LONGEST_COMMENT;
const tooLongRefusal = (): Response =>
  json(422, { message: "Validation Failed", errors: ["Body is too long (maximum is 65536 characters)"] });

/** Starts a GitHub. Every repository has the `pullRequests`. */
export function startGithub({
  repositories = ["acme/infra"],
  pullRequests = [1, 2, 3, 7],
}: { repositories?: string[]; pullRequests?: number[] } = {}): Github {
  const appId = "12345";
  const bot: User = { id: 900, login: "leeway-test[bot]", type: "Bot" };
  const installed = new Set(repositories);
  const tokens = new Map<string, AccessToken>();
  const permissions = new Map<string, { user: { id: number; login: string }; permission: string }>();
  const comments: IssueComment[] = [];
  const named = new Map<string, string>();
  const heads = new Map<number, string>();
  const code = new Map<string, Repository>();
  let ids = 5_000;

  const newComment = (comment: Partial<IssueComment>): IssueComment => {
    ids += 1;
    const user: User = { id: 5, login: "somebody", type: "User" };
    const made = { id: ids, repository: repositories[0] ?? "", number: 7, body: "", user, reactions: [] };
    return { ...made, ...comment };
  };
  const shown = ({ id, body, user, repository, number }: IssueComment): object => ({
    id,
    node_id: `IC_${id}`,
    html_url: `https://github.example.com/${repository}/pull/${number}#issuecomment-${id}`,
    body,
    user,
    performed_via_github_app: user.type === "Bot" ? { id: Number(appId), slug: "leeway-test" } : null,
  });
  const own = (repository: string, id: string | undefined): IssueComment | undefined =>
    comments.find((comment) => comment.repository === repository && comment.id === Number(id));

  const routes: readonly [method: string, path: RegExp, handler: (call: Call) => Response][] = [
    [
      "GET",
      /^\/pulls\/(\d+)$/,
      ({ parts: [number] }) => {
        const sha = heads.get(Number(number));
        return sha === undefined ? notFound() : json(200, { number: Number(number), head: { sha } });
      },
    ],
    [
      "GET",
      /^\/issues\/(\d+)\/comments$/,
      ({ request, repository, parts: [number] }) => {
        if (!pullRequests.includes(Number(number))) return notFound();
        const found = comments.filter(
          (comment) => comment.repository === repository && comment.number === Number(number),
        );
        return paged(found.map(shown), request, server.url);
      },
    ],
    [
      "POST",
      /^\/issues\/(\d+)\/comments$/,
      ({ repository, parts: [number], sent: { body = "" } }) => {
        if (!pullRequests.includes(Number(number))) return notFound();
        if (tooLong(body)) return tooLongRefusal();
        const comment = newComment({ repository, number: Number(number), body, user: bot });
        comments.push(comment);
        return json(201, shown(comment));
      },
    ],
    [
      "PATCH",
      /^\/issues\/comments\/(\d+)$/,
      ({ repository, parts: [id], sent: { body = "" } }) => {
        const comment = own(repository, id);
        if (!comment) return notFound();
        if (tooLong(body)) return tooLongRefusal();
        comment.body = body;
        return json(200, shown(comment));
      },
    ],
    [
      "DELETE",
      /^\/issues\/comments\/(\d+)$/,
      ({ repository, parts: [id] }) => {
        const comment = own(repository, id);
        if (!comment) return notFound();
        comments.splice(comments.indexOf(comment), 1);
        return new Response(null, { status: 204 });
      },
    ],
    [
      "POST",
      /^\/issues\/comments\/(\d+)\/reactions$/,
      ({ repository, parts: [id], sent: { content = "" } }) => {
        const comment = own(repository, id);
        if (!comment) return notFound();
        const known = comment.reactions.some((reaction) => reaction.content === content);
        if (!known) comment.reactions.push({ content, user: bot });
        return json(known ? 200 : 201, { id: 1, content, user: bot });
      },
    ],
    [
      "GET",
      /^\/contents\/\.github\/leeway-organizations$/,
      ({ repository }) => {
        const text = named.get(repository);
        if (text === undefined) return notFound();
        return json(200, { type: "file", encoding: "base64", content: btoa(text) });
      },
    ],
    [
      "GET",
      /^\/collaborators\/([^/]+)\/permission$/,
      ({ repository, parts: [login] }) => {
        const found = permissions.get(`${repository} ${login}`);
        return found ? json(200, { ...found, role_name: found.permission }) : notFound();
      },
    ],
  ];

  function isApp(request: ReceivedRequest): boolean {
    const token = request.headers.get("authorization")?.replace(/^Bearer /, "") ?? "";
    const [header = "", payload = "", signature = ""] = token.split(".");
    const signed = Buffer.from(`${header}.${payload}`);
    if (!verify("RSA-SHA256", signed, KEYS.publicKey, Buffer.from(signature, "base64url"))) return false;
    const { iss, iat, exp } = JSON.parse(Buffer.from(payload, "base64url").toString());
    const now = Date.now() / 1000;
    return iss === appId && iat <= now && exp > now && exp - now <= 600;
  }

  function asApp(request: ReceivedRequest, path: string): Response | undefined {
    const [, asked] = /^\/repos\/([^/]+\/[^/]+)\/installation$/.exec(path) ?? [];
    const [, id] = /^\/app\/installations\/(\d+)\/access_tokens$/.exec(path) ?? [];
    if (asked === undefined && id === undefined) return undefined;
    if (!isApp(request)) return json(401, { message: "A JSON web token could not be decoded" });
    if (asked !== undefined) {
      if (!installed.has(asked)) return notFound();
      return json(200, {
        id: 100 + repositories.indexOf(asked),
        app_id: Number(appId),
        app_slug: "leeway-test",
      });
    }
    const repository = repositories[Number(id) - 100] ?? "";
    if (!installed.has(repository)) return notFound();
    const token = `ghs_${appId}_${crypto.randomUUID()}`;
    const expiresAt = Date.now() + HOUR_MS;
    tokens.set(token, { repository, expiresAt });
    return json(201, { token, expires_at: new Date(expiresAt).toISOString(), permissions: {} });
  }

  function usual(request: ReceivedRequest): Response {
    const path = request.path.replace(/\?.*$/, "");
    const [, repository = "", rest = ""] = /^\/repos\/([^/]+\/[^/]+)(\/.*)?$/.exec(path) ?? [];
    return asApp(request, path) ?? asInstallation(request, repository) ?? answer(request, repository, rest);
  }

  /** Returns the refusal of a request whose token isn't valid for the repository. */
  function asInstallation(request: ReceivedRequest, repository: string): Response | undefined {
    const token = tokens.get(request.headers.get("authorization")?.replace(/^Bearer /, "") ?? "");
    if (!token || token.expiresAt < Date.now()) return json(401, { message: "Bad credentials" });
    return repository === token.repository ? undefined : notFound();
  }

  function answer(request: ReceivedRequest, repository: string, rest: string): Response {
    const route = routes.find(([method, pattern]) => method === request.method && pattern.test(rest));
    const stored = code.get(repository);
    const author = { name: bot.login, email: `${bot.login}@noreply.example.com`, login: bot.login };
    const how = { request, below: rest, author, origin: server.url };
    if (!route) return (stored && answerGithub(stored, how)) ?? notFound();
    const [, pattern, handler] = route;
    const parts = (pattern.exec(rest) ?? []).slice(1).map(decodeURIComponent);
    return handler({ request, repository, parts, sent: request.body === "" ? {} : JSON.parse(request.body) });
  }

  const server = startFaultyServer(usual);
  return {
    ...server,
    appId,
    privateKey: KEYS.privateKey,
    comments,
    heads,
    code,
    tokens,
    named,
    install: (repository) => void installed.add(repository),
    uninstall(repository) {
      installed.delete(repository);
      for (const [token, about] of tokens) if (about.repository === repository) tokens.delete(token);
    },
    write(body, comment = {}) {
      const made = newComment({ ...comment, body });
      comments.push(made);
      return made;
    },
    setPermission: (repository, user, permission) =>
      void permissions.set(`${repository} ${user.login}`, { user, permission }),
    texts: (number) => comments.filter((comment) => comment.number === number).map(({ body }) => body),
  };
}
