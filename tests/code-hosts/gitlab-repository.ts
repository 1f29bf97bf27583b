import { json, paged, type ReceivedRequest } from "./server.ts";
import { blobId, type CommitAuthor, type Repository, type StoredRequest } from "./repository.ts";

const notFound = (what: string): Response => json(404, { message: `404 ${what} Not Found` });

interface Call {
  repository: Repository;
  request: ReceivedRequest;
  parts: string[];
  query: URLSearchParams;
  // oxlint-disable-next-line typescript/no-explicit-any -- the body of a test's request
  sent: any;
  author: CommitAuthor;
  origin: string;
}

const requestOf = (
  { number, branch, target, title, body, isOpen }: StoredRequest,
  origin: string,
): object => ({
  iid: number,
  state: isOpen ? "opened" : "closed",
  source_branch: branch,
  target_branch: target,
  title,
  description: body,
  web_url: `${origin}/-/merge_requests/${number}`,
});

const ROUTES: readonly [method: string, path: RegExp, answer: (call: Call) => Response][] = [
  [
    "GET",
    /^\/repository\/commits\/([^/]+)$/,
    ({ repository, parts: [ref = ""] }) => {
      const id = repository.resolve(ref);
      return id === undefined ? notFound("Commit") : json(200, { id });
    },
  ],
  ["GET", /^\/repository\/tree$/, tree],
  [
    "GET",
    /^\/repository\/blobs\/([^/]+)$/,
    ({ repository, parts: [id = ""] }) => contentOf(repository.blobs.get(id)),
  ],
  [
    "GET",
    /^\/repository\/files\/([^/]+)$/,
    ({ repository, parts: [path = ""], query }) => {
      const ref = query.get("ref") ?? "";
      return contentOf(repository.files(ref)[path], { last_commit_id: repository.lastChange(ref, path) });
    },
  ],
  ["GET", /^\/repository\/branches\/([^/]+)$/, branch],
  [
    "DELETE",
    /^\/repository\/branches\/([^/]+)$/,
    ({ repository, parts: [name = ""] }) => {
      repository.branches.delete(name);
      return new Response(null, { status: 204 });
    },
  ],
  ["GET", /^\/repository\/compare$/, compare],
  ["POST", /^\/repository\/commits$/, commit],
  [
    "GET",
    /^\/merge_requests$/,
    ({ repository, query, origin }) => {
      const found = repository.openRequests().filter((one) => one.branch === query.get("source_branch"));
      return json(
        200,
        found.map((one) => requestOf(one, origin)),
      );
    },
  ],
  ["POST", /^\/merge_requests$/, open],
  ["PUT", /^\/merge_requests\/(\d+)$/, change],
];

function contentOf(text: string | undefined, more: object = {}): Response {
  if (text === undefined) return notFound("File");
  return json(200, {
    ...more,
    encoding: "base64",
    size: text.length,
    content: Buffer.from(text).toString("base64"),
  });
}

function tree({ repository, request, query, origin }: Call): Response {
  const dir = query.get("path") ?? "";
  const files = Object.entries(repository.files(query.get("ref") ?? ""));
  const below = files.filter(([path]) => dir === "" || path.startsWith(`${dir}/`));
  if (below.length === 0) return notFound("Tree");
  const entries = below.map(([path, text]) => ({ id: blobId(text), type: "blob", path, mode: "100644" }));
  return paged(entries, request, origin);
}

function branch({ repository, parts: [name = ""] }: Call): Response {
  const id = repository.branches.get(name);
  if (id === undefined) return notFound("Branch");
  return json(200, { name, protected: repository.protectedBranches.has(name), commit: { id } });
}

function compare({ repository, query }: Call): Response {
  const { commits, paths } = repository.compare(query.get("from") ?? "", query.get("to") ?? "");
  return json(200, {
    commits: commits.map(({ sha: id, message, author }) => ({
      id,
      message,
      author_name: author.name,
      author_email: author.email,
      committer_email: author.email,
    })),
    diffs: paths.map((path) => ({ old_path: path, new_path: path })),
  });
}

function commit({ repository, sent, author }: Call): Response {
  const { branch: name, start_sha: start, commit_message: message, actions } = sent;
  if (repository.protectedBranches.has(name))
    return json(403, { message: "You are not allowed to push into this branch" });
  if (start !== undefined && repository.branches.has(name))
    return json(400, { message: `A branch called '${name}' already exists.` });
  const stale = actions.some(
    (action: { file_path: string; last_commit_id?: string }) =>
      start === undefined && action.last_commit_id !== repository.lastChange(name, action.file_path),
  );
  if (stale)
    return json(400, { message: "You are attempting to update a file that has changed since you started" });
  const changed = actions.map((action: { file_path: string; content: string }) => [
    action.file_path,
    Buffer.from(action.content, "base64").toString(),
  ]);
  return json(201, {
    id: repository.commit(name, Object.fromEntries(changed), { author, message, from: start }),
  });
}

function open({ repository, sent, origin }: Call): Response {
  const { source_branch: source, target_branch: target, title, description: body } = sent;
  if (repository.openRequests().some((one) => one.branch === source && one.target === target))
    return json(409, { message: ["Another open merge request already exists for this source branch: !1"] });
  const made = { number: repository.requests.length + 1, branch: source, target, title, body, isOpen: true };
  repository.requests.push(made);
  return json(201, requestOf(made, origin));
}

function change({ repository, parts: [number], sent, origin }: Call): Response {
  const found = repository.requests.find((one) => one.number === Number(number));
  if (!found) return notFound("Merge Request");
  if (sent.title !== undefined) Object.assign(found, { title: sent.title, body: sent.description });
  if (sent.state_event === "close") found.isOpen = false;
  return json(200, requestOf(found, origin));
}

/** Answers a request about a project's repository as GitLab does; undefined for all others. */
export function answerGitlab(
  repository: Repository,
  {
    request,
    below,
    author,
    origin,
  }: { request: ReceivedRequest; below: string; author: CommitAuthor; origin: string },
): Response | undefined {
  const route = ROUTES.find(([method, path]) => method === request.method && path.test(below));
  if (!route) return undefined;
  const [, path, answer] = route;
  const parts = (path.exec(below) ?? []).slice(1).map(decodeURIComponent);
  const { searchParams: query } = new URL(request.path, origin);
  const sent = request.body === "" ? {} : JSON.parse(request.body);
  return answer({ repository, request, parts, query, sent, author, origin });
}
