import type { Submission } from "@leeway/shared/contracts/analyzer/jobs";

/** Origin of a plan. Excludes what changes with each run (job, report, pipeline), so that the text stays the same. */
export type AnalysisContext = Pick<Submission, "repository" | "project" | "commit_sha" | "tool">;
export type Project = NonNullable<Submission["project"]>;

/** Returns a project's label: its name, or its directory and workspace; undefined if it has none of these. */
export function projectLabel(project: Project | undefined): string | undefined {
  if (project?.name !== undefined) return project.name;
  const parts = [project?.dir, project?.workspace].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join(":") : undefined;
}
