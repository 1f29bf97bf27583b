import { json, type ReceivedRequest } from "./server.ts";
import { blobId, type CommitAuthor, type Repository, type StoredRequest } from "./repository.ts";

const notFound = (): Response => json(404, { message: "Not Found" });

interface Call {
  repository: Repository;
  parts: string[];
  query: URLSearchParams;
  // oxlint-disable-next-line typescript/no-explicit-any -- the body of a test's request
  sent: any;
  author: CommitAuthor;
  origin: string;
}

/** Trees that were made and no commit has yet, by id, and folders as `commit:path`. */
const trees = new Map<string, ReadonlyMap<string, string>>();

const pullOf = ({ number, target, title, body, isOpen }: StoredRequest, origin: string): object => ({
  number,
  state: isOpen ? "open" : "closed",
  title,
  body,
  base: { ref: target },
  html_url: `${origin}/pull/${number}`,
});

const ROUTES: readonly [method: string, path: RegExp, answer: (call: Call) => Response][] = [
  ["GET", /^$/, ({ repository }) => json(200, { default_branch: repository.defaultBranch })],
  [
    "GET",
    /^\/commits\/(.+)$/,
    ({ repository, parts: [ref = ""] }) => {
      const sha = repository.resolve(ref);
      if (sha === undefined) return json(422, { message: `No commit found for SHA: ${ref}` });
      return json(200, { sha, commit: { tree: { sha: treeId(sha, "") } } });
    },
  ],
  ["GET", /^\/git\/trees\/([^/]+)$/, tree],
  [
    "GET",
    /^\/git\/blobs\/([^/]+)$/,
    ({ repository, parts: [id = ""] }) => contentOf(repository.blobs.get(id)),
  ],
  [
    "GET",
    /^\/contents\/(.+)$/,
    ({ repository, parts: [path = ""], query }) => contentOf(repository.files(query.get("ref") ?? "")[path]),
  ],
  [
    "GET",
    /^\/branches\/(.+)$/,
    ({ repository, parts: [name = ""] }) => {
      const sha = repository.branches.get(name);
      if (sha === undefined) return notFound();
      return json(200, { name, protected: repository.protectedBranches.has(name), commit: { sha } });
    },
  ],
  ["GET", /^\/compare\/(.+)\.\.\.(.+)$/, compare],
  [
    "GET",
    /^\/git\/commits\/([^/]+)$/,
    ({ parts: [sha = ""] }) => json(200, { sha, tree: { sha: treeId(sha, "") } }),
  ],
  ["POST", /^\/git\/trees$/, makeTree],
  [
    "POST",
    /^\/git\/commits$/,
    ({ repository, sent, author }) => {
      const { message, tree: id, parents } = sent;
      return json(201, {
        sha: repository.store(parents[0], trees.get(id) ?? new Map(), { author, message }),
      });
    },
  ],
  ["POST", /^\/git\/refs$/, createRef],
  ["PATCH", /^\/git\/refs\/heads\/(.+)$/, updateRef],
  [
    "DELETE",
    /^\/git\/refs\/heads\/(.+)$/,
    ({ repository, parts: [name = ""] }) => {
      repository.branches.delete(name);
      return new Response(null, { status: 204 });
    },
  ],
  [
    "GET",
    /^\/pulls$/,
    ({ repository, query, origin }) => {
      const [, branch] = (query.get("head") ?? "").split(":");
      const found = repository.openRequests().filter((one) => one.branch === branch);
      return json(
        200,
        found.map((one) => pullOf(one, origin)),
      );
    },
  ],
  ["POST", /^\/pulls$/, open],
  ["PATCH", /^\/pulls\/(\d+)$/, change],
];

const treeId = (sha: string, dir: string): string => Buffer.from(`${sha}:${dir}`).toString("hex");

function contentOf(text: string | undefined): Response {
  if (text === undefined) return notFound();
  return json(200, { encoding: "base64", size: text.length, content: Buffer.from(text).toString("base64") });
}

function tree({ repository, parts: [id = ""], query }: Call): Response {
  const [sha = "", dir = ""] = Buffer.from(id, "hex").toString().split(":");
  const prefix = dir === "" ? "" : `${dir}/`;
  const below = Object.entries(repository.files(sha)).filter(([path]) => path.startsWith(prefix));
  const entries = below.map(([path, text]) => {
    return { path: path.slice(prefix.length), type: "blob", mode: "100644", sha: blobId(text) };
  });
  if (query.has("recursive")) return json(200, { tree: entries, truncated: false });
  const names = [...new Set(entries.map(({ path }) => path.split("/")[0] ?? ""))];
  const shown = names.map((name) => {
    const file = entries.find(({ path }) => path === name);
    return file ?? { path: name, type: "tree", mode: "040000", sha: treeId(sha, prefix + name) };
  });
  return json(200, { tree: shown });
}

function makeTree({ repository, sent }: Call): Response {
  const [base = ""] = Buffer.from(sent.base_tree, "hex").toString().split(":");
  const changed = sent.tree.map(({ path, content }: { path: string; content: string }) => [path, content]);
  const id = crypto.randomUUID();
  trees.set(id, new Map([...Object.entries(repository.files(base)), ...changed]));
  return json(201, { sha: id });
}

function compare({ repository, parts: [base = "", branch = ""] }: Call): Response {
  const { commits, paths } = repository.compare(base, branch);
  return json(200, {
    commits: commits.map(({ sha, message, author }) => {
      const user = { login: author.login };
      return { sha, author: user, committer: user, commit: { message, author: { name: author.name } } };
    }),
    files: paths.map((filename) => ({ filename })),
  });
}

function createRef({ repository, sent: { ref, sha } }: Call): Response {
  const name = ref.replace("refs/heads/", "");
  if (repository.branches.has(name)) return json(422, { message: "Reference already exists" });
  repository.branches.set(name, sha);
  return json(201, { ref });
}

function updateRef({ repository, parts: [name = ""], sent: { sha } }: Call): Response {
  if (repository.commits.get(sha)?.parent !== repository.branches.get(name))
    return json(422, { message: "Update is not a fast forward" });
  repository.branches.set(name, sha);
  return json(200, { ref: `refs/heads/${name}` });
}

function open({ repository, sent: { head, base, title, body }, origin }: Call): Response {
  if (repository.openRequests().some((one) => one.branch === head && one.target === base))
    return json(422, {
      message: "Validation Failed",
      errors: [{ message: "A pull request already exists for acme:x." }],
    });
  const made = {
    number: repository.requests.length + 1,
    branch: head,
    target: base,
    title,
    body,
    isOpen: true,
  };
  repository.requests.push(made);
  return json(201, pullOf(made, origin));
}

function change({ repository, parts: [number], sent, origin }: Call): Response {
  const found = repository.requests.find((one) => one.number === Number(number));
  if (!found) return notFound();
  if (sent.title !== undefined) Object.assign(found, { title: sent.title, body: sent.body });
  if (sent.state === "closed") found.isOpen = false;
  return json(200, pullOf(found, origin));
}

/** Answers a request about a repository as GitHub does; undefined for all others. */
export function answerGithub(
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
  return answer({ repository, parts, query, sent, author, origin });
}
