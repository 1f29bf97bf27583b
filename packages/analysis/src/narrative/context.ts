import type { Submission } from "@leeway/shared/contracts/analyzer/jobs";

/** Where a plan comes from. What changes with each run (job, report, pipeline) isn't part of what is said of it. */
export type AnalysisContext = Pick<Submission, "repository" | "project" | "commit_sha" | "tool">;
export type Project = NonNullable<Submission["project"]>;

/** What people call a project: its name, else its directory and workspace; undefined when nothing tells. */
export function projectLabel(project: Project | undefined): string | undefined {
  if (project?.name !== undefined) return project.name;
  const parts = [project?.dir, project?.workspace].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join(":") : undefined;
}
