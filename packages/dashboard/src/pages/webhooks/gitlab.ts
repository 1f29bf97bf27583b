const DEFAULT_ADDRESS = "https://gitlab.com";

/** Where things are made at a GitLab: for one project, or at a place from which all can be reached. */
export interface GitlabPages {
  host: string;
  newToken: string;
  hooks: string;
}

/** @param repository its path; empty for any */
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
