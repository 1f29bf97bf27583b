import type { CodeProblem, CodeRefused } from "@leeway/shared/contracts/webhooks/code";
import type { SourceRepository } from "@leeway/shared/contracts/common";

import { refusedForNow } from "../comments/refused.ts";

const SET_UP = "see docs/settle.md";

const MESSAGES: Readonly<Record<CodeProblem, (repository: SourceRepository, author: string) => string>> = {
  app_not_configured: ({ path }) => `this server has no GitHub App, which ${path} needs; ${SET_UP}`,
  app_not_installed: ({ path }) => `the GitHub App isn't installed on ${path}`,
  organization_not_named: ({ path }) =>
    `${path} doesn't name this organization in .github/leeway-organizations`,
  token_missing: ({ path }) => `no enabled vcs webhook has a token for ${path}; ${SET_UP}`,
  token_rejected: ({ path }) => `the code host rejected the token for ${path}; set a new api_token`,
  not_found: ({ path }) => `the code host doesn't show ${path} to Leeway's token`,
  forbidden: ({ path }) =>
    `the code host doesn't let Leeway's token or app do this in ${path}: reading needs the contents, change requests also the right to push branches`,
  too_large: () => "a text is too large for the code host",
  unavailable: () => "the code host can't be reached now",
  ref_not_found: ({ path, ref = "the default branch" }) => `${path} has no ${ref}; check repository.ref`,
  folder_not_found: ({ path, dir = "" }) => `${path} has no folder ${dir}; check repository.dir`,
  folder_too_large: ({ dir = "the root" }) =>
    `${dir} has more configuration than Leeway reads (300 files, 2 MB); set repository.dir to the folder of the root module`,
  not_a_branch: ({ ref = "" }) =>
    `${ref} isn't a branch, so no change can be requested for it; change repository.ref`,
  protected_branch: () =>
    "the branch for settlements is protected, and Leeway doesn't write to protected branches",
  foreign_commit: (_, author) =>
    `the branch has a commit of ${author}, so Leeway leaves it alone; merge or delete it first`,
  moved: () => "the branch changed at the same time; try again",
};

/** Returns why a code host didn't let Leeway read or change code, in words. */
export function messageOf(
  { problem, author = "somebody else" }: CodeRefused,
  repository: SourceRepository,
): string {
  return MESSAGES[problem](repository, author);
}

/** @throws {AppError} `unavailable` for a refusal that ends by itself */
export function throwForNow(refused: CodeRefused): void {
  const { problem, retry_after_seconds: seconds = 1 } = refused;
  if (problem === "unavailable") throw refusedForNow({ done: false, problem, retry_after_seconds: seconds });
}
