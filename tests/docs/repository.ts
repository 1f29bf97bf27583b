import { existsSync } from "node:fs";
import { join } from "node:path";

/** The repository's root. */
export const ROOT = join(import.meta.dir, "../..");

/** Files that git knows or would take, by their paths from the root. */
export function repositoryFiles(): string[] {
  const { stdout } = Bun.spawnSync(["git", "ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: ROOT,
  });
  const paths = stdout.toString().split("\n");
  return paths.filter((path) => path !== "" && existsSync(join(ROOT, path)));
}

/** What one file of the repository says. */
export function read(path: string): Promise<string> {
  return Bun.file(join(ROOT, path)).text();
}

/** The text below a heading of the second level, up to the next one; empty when there is none. */
export function chapter(markdown: string, title: string): string {
  const start = markdown.indexOf(`\n## ${title}\n`);
  if (start === -1) return "";
  const end = markdown.indexOf("\n## ", start + 1);
  return markdown.slice(start, end === -1 ? undefined : end);
}

/** A text without its blocks of code. */
export function prose(markdown: string): string {
  return markdown.replaceAll(/^```.*?^```$/gms, "");
}

/** What stands between backticks on one line. */
export function quoted(markdown: string): string[] {
  return [...prose(markdown).matchAll(/`([^`\n]+)`/g)].map(([, text = ""]) => text);
}
