import { Type as t } from "@sinclair/typebox";

import type { Api } from "./api.ts";
import { HostFailure, orWhen } from "./failure.ts";
import { repositoryPath } from "./github.ts";

/**
 * File in the default branch. Users with write access to that branch decide which organizations of Leeway may
 * comment.
 */
const FILE = ".github/leeway-organizations";
const File = t.Object({ encoding: t.Literal("base64"), content: t.String() });

/**
 * Checks that the repository itself names the organization. Otherwise a sender could sign events that name another
 * owner's repository.
 * @throws {HostFailure} `organization_not_named`
 */
export async function requireNamed(api: Api, repository: string, orgId: string): Promise<void> {
  const path = `/repos/${repositoryPath(repository)}/contents/${FILE}`;
  const named = await orWhen(
    ["not_found"],
    api.ask({ path }, File).then(organizationsIn),
    (): string[] => [],
  );
  if (!named.includes(orgId.toLowerCase())) throw new HostFailure("organization_not_named");
}

/** Reads the file: one id per line; `#` starts a comment. */
function organizationsIn({ content }: { content: string }): string[] {
  const text = Buffer.from(content, "base64").toString().toLowerCase();
  return text.split("\n").map((line) => line.replace(/#.*/, "").trim());
}
