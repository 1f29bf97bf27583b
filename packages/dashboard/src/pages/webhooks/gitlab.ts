const DEFAULT_ADDRESS = "https://gitlab.com";

/** GitLab pages for creating tokens and hooks: a project's own, or a page from which every project can be reached. */
export interface GitlabPages {
  host: string;
  newToken: string;
  hooks: string;
}

/**
 * Returns the pages of an instance.
 * @param repository its path; empty for any
 */
export function gitlabPages(address = DEFAULT_ADDRESS, repository = ""): GitlabPages {
  const base = address.replace(/\/+$/, "");
  const project = repository.split("/").filter(Boolean).map(encodeURIComponent).join("/");
  return {
    host: URL.parse(base)?.host ?? base,
    newToken: project
      ? `${base}/${project}/-/settings/access_tokens`
      : `${base}/-/user_settings/personal_access_tokens?name=Leeway&scopes=api`,
    hooks: project ? `${base}/${project}/-/hooks` : base,
  };
}
