interface PlanPlace {
  repository?: string | undefined;
  project?:
    | { name?: string | undefined; dir?: string | undefined; workspace?: string | undefined }
    | undefined;
}

/**
 * Returns possible names of the IaC source with a project's state, most reliable first: the project's name, then its
 * directory and workspace. The default workspace adds the directory, and the repository if the project covers all of
 * it.
 */
export function sourceNames({ repository, project = {} }: PlanPlace): string[] {
  const { name, dir, workspace = "default" } = project;
  const isDefault = workspace === "default";
  const isAll = isDefault && name === undefined && (dir === undefined || dir === ".");
  const called = [name, dir && `${dir}/${workspace}`, isDefault && dir, isAll && repository];
  return called.filter((one): one is string => Boolean(one));
}

/**
 * Returns a key that is unique among a repository's projects: the name, or else directory and workspace. A project
 * without a repository never has the key of a repository's project.
 */
export function projectKey({ repository, project = {} }: PlanPlace): string {
  const { name, dir = ".", workspace = "default" } = project;
  const key = name ?? `${dir}/${workspace}`;
  if (repository === undefined) return key.includes(":") ? `:${key}` : key;
  return `${repository}:${key}`;
}
