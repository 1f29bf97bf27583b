/** What tells the projects of a repository apart: the name, else directory and workspace. */
export function projectKey({
  repository,
  project = {},
}: {
  repository?: string | undefined;
  project?:
    | { name?: string | undefined; dir?: string | undefined; workspace?: string | undefined }
    | undefined;
}): string {
  const { name, dir = ".", workspace = "default" } = project;
  const key = name ?? `${dir}/${workspace}`;
  return repository === undefined ? key : `${repository}:${key}`;
}
