import { isUtf8 } from "node:buffer";

import type { Input, Output } from "@leeway/shared/contracts/contract";
import { CODE_LIMITS, type CodeFile, type ReadCode } from "@leeway/shared/contracts/webhooks/code";
import type { CodeHostKind } from "@leeway/shared/contracts/webhooks/code-hosts";

import type { HostAccess } from "../code-host/open-host.ts";
import type { CodeCache } from "./code-cache.ts";
import { codeOf } from "./open-code.ts";
import { atCode, webPagesOf, type CodeDependencies } from "./place.ts";
import { CodeRefusal, refusedBy } from "./refusal.ts";
import type { CodeRepository, TreeFile } from "./repository.ts";

export interface ReadDependencies extends CodeDependencies {
  codeCache: CodeCache;
}

/** Requests for contents in flight. */
const AT_ONCE = 8;

/** Reads the configuration in a source's folder. The code host is asked for the commit each time, also for the access. */
export async function readCode(
  { codeCache, ...deps }: ReadDependencies,
  { org_id: orgId, repository }: Input<typeof ReadCode>,
): Promise<Output<typeof ReadCode>> {
  const { path, dir = "", ref } = repository;
  try {
    return await atCode(deps, { orgId, repository, work: "read_code" }, async (access) => {
      const code = codeOf(access);
      const head = await code.head(ref);
      if (!head) throw new CodeRefusal("ref_not_found");
      const host = access.kind === "gitlab" ? access.baseUrl : access.kind;
      const key = JSON.stringify([orgId, host, path, head.commit, dir]);
      const files = codeCache.get(key) ?? (await filesIn(code, head.commit, dir));
      codeCache.keep(key, files);
      const page = pageAt(deps, access, head.commit);
      return { done: true, ...head, files: [...files], ...(page && { page }) };
    });
  } catch (error) {
    const refused = refusedBy(error);
    deps.log.warn({ org_id: orgId, problem: refused.problem }, "code couldn't be read");
    return refused;
  }
}

/** Returns the page of a commit's files; undefined if the code host has none. */
function pageAt(
  { githubApp }: CodeDependencies,
  access: HostAccess,
  commit: string,
): { kind: CodeHostKind; url: string } | undefined {
  const { kind, repository } = access;
  if (kind === "gitlab") return { kind, url: `${access.baseUrl}/${repository}/-/blob/${commit}` };
  const web = webPagesOf(githubApp);
  return web === undefined ? undefined : { kind, url: `${web}/${repository}/blob/${commit}` };
}

async function filesIn(code: CodeRepository, commit: string, dir: string): Promise<CodeFile[]> {
  const all = await code.files(commit, dir);
  if (!all || all.length === 0) throw new CodeRefusal("folder_not_found");
  const wanted = all.filter(({ path }) => isConfiguration(path));
  if (wanted.length > CODE_LIMITS.files) throw new CodeRefusal("folder_too_large");
  return contentsOf(code, wanted);
}

/** Configuration, variables and configuration as JSON, but not the modules and providers that Terraform downloads. */
function isConfiguration(path: string): boolean {
  return /\.(?:tf|tofu|tfvars)(?:\.json)?$/.test(path) && !/(?:^|\/)\.terraform\//.test(path);
}

/**
 * Returns the text of a file. One that isn't UTF-8 would lose bytes if it were written back: an open quotation mark keeps
 * it from being edited, and what it mentions can still be found.
 */
const textOf = (content: Buffer): string => content.toString() + (isUtf8(content) ? "" : '\n"');

async function contentsOf(code: CodeRepository, wanted: readonly TreeFile[]): Promise<CodeFile[]> {
  const files: CodeFile[] = [];
  let bytes = 0;
  for (let at = 0; at < wanted.length; at += AT_ONCE) {
    const read = wanted.slice(at, at + AT_ONCE).map(async ({ path, blob }) => {
      const content = await code.content(blob);
      bytes += content.length;
      return { path, text: textOf(content) };
    });
    files.push(...(await Promise.all(read)));
    if (bytes > CODE_LIMITS.bytes) throw new CodeRefusal("folder_too_large");
  }
  return files;
}
