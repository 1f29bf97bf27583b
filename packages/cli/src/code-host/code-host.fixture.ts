import { isObject, text as textOf } from "@leeway/shared/values/json";

export interface Stored {
  id: number;
  author: number;
  body: string;
}

interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

interface Call {
  method: string;
  url: URL;
  headers: Headers;
  /** Text of the comment that is sent. */
  text: string;
}

const PER_PAGE = 100;
/** Users by token. The job's tokens can't ask who they are. */
const USERS: Readonly<Record<string, { id: number; login: string; mayAskUser: boolean }>> = {
  "job-token": { id: 1, login: "github-actions[bot]", mayAskUser: false },
  "app-token": { id: 3, login: "acme-plans[bot]", mayAskUser: false },
  "person-token": { id: 2, login: "anna", mayAskUser: true },
};
export const OTHER = 9;

/** A server with the comments of pull request 12 at GitHub's API, and of merge request 12 at GitLab's. */
export class CodeHostServer {
  readonly requests: { method: string; path: string; headers: Headers }[] = [];
  comments: Stored[] = [];
  /** Answers to the next requests, instead of the host's own. */
  replies: Reply[] = [];
  /** Called before a comment is created, as a concurrent job would. */
  beforeCreate: () => void = () => undefined;
  #lastId = 1000;
  readonly #server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => this.#serve(request) });

  get url(): string {
    return this.#server.url.origin;
  }

  add(author: number, body: string): Stored {
    this.#lastId += 1;
    const comment = { id: this.#lastId, author, body };
    this.comments.push(comment);
    return comment;
  }

  [Symbol.dispose](): void {
    void this.#server.stop(true);
  }

  async #serve(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const { method, headers } = request;
    this.requests.push({ method, path: url.pathname, headers });
    const body: unknown = await request.json().catch(() => undefined);
    const text = isObject(body) ? (textOf(body, "body") ?? "") : "";
    const reply = this.replies.shift() ?? this.#answer({ method, url, headers, text });
    return Response.json(reply.body ?? {}, { status: reply.status, headers: reply.headers ?? {} });
  }

  #answer(call: Call): Reply {
    const { method, url } = call;
    const isGitlab = url.pathname.startsWith("/api/v4/");
    const path = url.pathname.replace("/api/v4", "");
    const user = USERS[tokenIn(call.headers)];
    if (!user) return { status: 401, body: { message: "Bad credentials" } };
    const all = isGitlab
      ? "/projects/acme%2Finfra/merge_requests/12/notes"
      : "/repos/acme/infra/issues/12/comments";
    const routes: Record<string, () => Reply> = {
      "GET /user": () => (user.mayAskUser ? { status: 200, body: user } : { status: isGitlab ? 401 : 403 }),
      "POST /graphql": () => ({ status: 200, body: { data: { viewer: { login: user.login } } } }),
      "GET /job": () => ({ status: 200, body: { user } }),
      [`GET ${all}`]: () => this.#page(url, isGitlab),
      [`POST ${all}`]: () => this.#create(user.id, call.text, isGitlab),
    };
    const one = isGitlab ? all : "/repos/acme/infra/issues/comments";
    return routes[`${method} ${path}`]?.() ?? this.#change(call, { path, one, author: user.id, isGitlab });
  }

  #change(
    { method, text }: Call,
    { path, one, author, isGitlab }: { path: string; one: string; author: number; isGitlab: boolean },
  ): Reply {
    const found = this.comments.find(({ id }) => path === `${one}/${id}`);
    if (!found) return { status: 404, body: { message: "Not Found" } };
    if (found.author !== author) return { status: 403, body: { message: "Forbidden" } };
    if (method === "DELETE") {
      this.comments = this.comments.filter((comment) => comment !== found);
      return { status: 204 };
    }
    if (method !== (isGitlab ? "PUT" : "PATCH")) return { status: 405 };
    found.body = text;
    return { status: 200, body: shown(found, isGitlab) };
  }

  #create(author: number, text: string, isGitlab: boolean): Reply {
    if (text.length > (isGitlab ? 1_000_000 : 65_536)) return { status: 422, body: { message: "too long" } };
    this.beforeCreate();
    return { status: 201, body: shown(this.add(author, text), isGitlab) };
  }

  #page(url: URL, isGitlab: boolean): Reply {
    const page = Number(url.searchParams.get("page"));
    const rows = this.comments
      .slice((page - 1) * PER_PAGE, page * PER_PAGE)
      .map((row) => shown(row, isGitlab));
    const isLast = page * PER_PAGE >= this.comments.length;
    // A link elsewhere, which a client that follows it would send its token to.
    const headers = isLast ? {} : { link: '<http://127.0.0.1:1/steal>; rel="next"' };
    return { status: 200, headers, body: rows };
  }
}

function tokenIn(headers: Headers): string {
  const bearer = headers.get("authorization")?.slice("Bearer ".length);
  return headers.get("private-token") ?? headers.get("job-token") ?? bearer ?? "";
}

function shown({ id, author, body }: Stored, isGitlab: boolean): object {
  const login = Object.values(USERS).find((user) => user.id === author)?.login ?? "mallory";
  if (isGitlab) return { id, body: body.trim(), author: { id: author, username: login }, system: false };
  return {
    id,
    body: body.replaceAll("\n", "\r\n"),
    user: { id: author, login },
    html_url: `https://github.com/c/${id}`,
  };
}
