import type { HostAccess } from "../code-host/open-host.ts";
import { githubCode } from "./github-code.ts";
import { gitlabCode } from "./gitlab-code.ts";
import type { CodeRepository } from "./repository.ts";

export function codeOf(access: HostAccess): CodeRepository {
  return access.kind === "gitlab" ? gitlabCode(access) : githubCode(access);
}
