interface PlanPlace {
  repository?: string | undefined;
  project?:
    | { name?: string | undefined; dir?: string | undefined; workspace?: string | undefined }
    | undefined;
}

/**
 * What the IaC source of a project's state may be called, the surest first: as the project, as its directory and
 * workspace; in the default workspace as its directory, and as the repository where the project is all of it.
 */
export function sourceNames({ repository, project = {} }: PlanPlace): string[] {
  const { name, dir, workspace = "default" } = project;
  const isDefault = workspace === "default";
  const isAll = isDefault && name === undefined && (dir === undefined || dir === ".");
  const called = [name, dir && `${dir}/${workspace}`, isDefault && dir, isAll && repository];
  return called.filter((one): one is string => Boolean(one));
}

/** What tells the projects of a repository apart: the name, else directory and workspace. */
export function projectKey({ repository, project = {} }: PlanPlace): string {
  const { name, dir = ".", workspace = "default" } = project;
  const key = name ?? `${dir}/${workspace}`;
  return repository === undefined ? key : `${repository}:${key}`;
}
