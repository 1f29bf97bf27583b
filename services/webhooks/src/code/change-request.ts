import type { Input, Output } from "@leeway/shared/contracts/contract";
import type {
  CloseChangeRequest,
  CodeFile,
  CodeRefused,
  PutChangeRequest,
} from "@leeway/shared/contracts/webhooks/code";
import { present } from "@leeway/shared/values/json";

import { orWhen, type HostFailure } from "../code-host/failure.ts";
import type { HostAccess } from "../code-host/open-host.ts";
import {
  digestIn,
  digestOf,
  messageFor,
  type Branch,
  type Changes,
  type Comparison,
  type NewCommit,
  type Request,
} from "./changes.ts";
import { githubChanges } from "./github-changes.ts";
import { gitlabChanges } from "./gitlab-changes.ts";
import { atCode, type CodeDependencies } from "./place.ts";
import { CodeRefusal, refusedBy } from "./refusal.ts";

type Put = Input<typeof PutChangeRequest>;

/** Puts files on a branch and opens or updates its request. Steps that are done already are skipped. */
export function putChangeRequest(
  deps: CodeDependencies,
  input: Put,
): Promise<Output<typeof PutChangeRequest>> {
  return changing(deps, input, async (changes) => {
    const { branch, title, body } = input;
    const target = await targetOf(changes, input);
    if (target.head.commit !== input.commit) throw new CodeRefusal("moved");
    const isCommitted = await putFiles(changes, input, target);
    const known = await changes.openRequest(branch, target.name);
    if (!known) {
      const { number, url } = await created(changes, branch, target.name, { title, body });
      return { done: true, outcome: "created", number, url };
    }
    const isSame = known.title === title && plain(known.body) === plain(body);
    if (!isSame) await changes.update(known.number, { title, body });
    const outcome = isCommitted || !isSame ? "updated" : "unchanged";
    return { done: true, outcome, number: known.number, url: known.url };
  });
}

export function closeChangeRequest(
  deps: CodeDependencies,
  input: Input<typeof CloseChangeRequest>,
): Promise<Output<typeof CloseChangeRequest>> {
  return changing(deps, input, async (changes) => {
    const { branch } = input;
    const target = await targetOf(changes, input);
    const known = await changes.openRequest(branch, target.name);
    const head = await changes.branch(branch);
    if (head && !head.isProtected) {
      const { commits } = await changes.compare(target.name, branch);
      refuseForeign({ commits, paths: [] });
      if (known) await changes.close(known.number);
      await changes.removeBranch(branch);
    } else if (known) await changes.close(known.number);
    return { done: true, outcome: known || head ? "closed" : "absent", ...present({ url: known?.url }) };
  });
}

/** Hosts change line ends and the space around a text. */
const plain = (text: string): string => text.replaceAll("\r\n", "\n").trim();

async function changing<T>(
  deps: CodeDependencies,
  { org_id: orgId, repository }: Pick<Put, "org_id" | "repository">,
  work: (changes: Changes) => Promise<T>,
): Promise<T | CodeRefused> {
  try {
    return await atCode(deps, { orgId, repository, work: "change_code" }, (access) =>
      work(changesOf(access)),
    );
  } catch (error) {
    const refused = refusedBy(error);
    deps.log.warn({ org_id: orgId, problem: refused.problem }, "a change request wasn't written");
    return refused;
  }
}

function changesOf(access: HostAccess): Changes {
  return access.kind === "gitlab" ? gitlabChanges(access) : githubChanges(access);
}

interface Target {
  name: string;
  head: Branch;
}

/** Returns the branch that the request is for. @throws {CodeRefusal} `not_a_branch`, `protected_branch` */
async function targetOf(
  changes: Changes,
  { repository, branch }: Pick<Put, "repository" | "branch">,
): Promise<Target> {
  const defaultBranch = await changes.defaultBranch();
  const name = repository.ref ?? defaultBranch;
  if (branch === defaultBranch || branch === name) throw new CodeRefusal("protected_branch");
  const head = name === undefined ? undefined : await changes.branch(name);
  if (name === undefined || !head) throw new CodeRefusal("not_a_branch");
  return { name, head };
}

/** Commits the files unless the branch has them already. @returns whether it has committed */
async function putFiles(changes: Changes, { branch, title, files }: Put, target: Target): Promise<boolean> {
  const head = await changes.branch(branch);
  if (head?.isProtected) throw new CodeRefusal("protected_branch");
  const message = messageFor(title, files);
  if (!head) {
    await commit(changes, { branch, parent: target.head.commit, isNew: true, message, files });
    return true;
  }
  const compared = await changes.compare(target.name, branch);
  refuseForeign(compared);
  const wanted = await withOthers(changes, files, compared, target);
  const isThere = digestIn(compared.commits.at(-1)?.message ?? "") === digestOf(files);
  if (isThere && wanted.length === files.length) return false;
  await commit(changes, { branch, parent: head.commit, isNew: false, message, files: wanted });
  return true;
}

/** @throws {CodeRefusal} `moved` if the branch has got another commit in the meantime */
async function commit(changes: Changes, made: NewCommit): Promise<void> {
  await orWhen(["forbidden", "not_found"], changes.commit(made), async (failure) => {
    // A host also answers so if the branch has moved.
    const now = (await changes.branch(made.branch))?.commit;
    throw now === (made.isNew ? undefined : made.parent) ? failure : new CodeRefusal("moved");
  });
}

/** @throws {CodeRefusal} `foreign_commit`, with its author */
function refuseForeign({ commits }: Comparison): void {
  const foreign = commits.find(({ isOwn, message }) => !isOwn || digestIn(message) === undefined);
  if (foreign) throw new CodeRefusal("foreign_commit", foreign.author.slice(0, 200));
}

/** Returns the files, and those that an earlier version of the branch changed, as the target has them. */
async function withOthers(
  changes: Changes,
  files: readonly CodeFile[],
  { paths }: Comparison,
  { head }: Target,
): Promise<CodeFile[]> {
  const wanted = new Set(files.map(({ path }) => path));
  const restored: CodeFile[] = [];
  for (const path of paths.filter((changed) => !wanted.has(changed))) {
    const text = await changes.text(path, head.commit);
    if (text !== undefined) restored.push({ path, text });
  }
  return [...files, ...restored];
}

/** Opens a request, or returns the one that was opened in the meantime or by an attempt whose answer was lost. */
function created(
  changes: Changes,
  branch: string,
  base: string,
  words: { title: string; body: string },
): Promise<Request> {
  return orWhen(
    ["forbidden", "not_found"],
    changes.create(branch, base, words),
    async (failure: HostFailure) => {
      const known = await changes.openRequest(branch, base);
      if (!known) throw failure;
      await changes.update(known.number, words);
      return known;
    },
  );
}
