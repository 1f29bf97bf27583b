import { existsSync } from "node:fs";
import { join } from "node:path";

/** The repository's root. */
export const ROOT = join(import.meta.dir, "../..");

/** Returns the paths of tracked and untracked files, without ignored ones, relative to the root. */
export function repositoryFiles(): string[] {
  const { stdout } = Bun.spawnSync(["git", "ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: ROOT,
  });
  const paths = stdout.toString().split("\n");
  return paths.filter((path) => path !== "" && existsSync(join(ROOT, path)));
}

/** Returns the text of a file of the repository. */
export function read(path: string): Promise<string> {
  return Bun.file(join(ROOT, path)).text();
}

/** Returns the text below a second-level heading, up to the next one, or an empty string. */
export function chapter(markdown: string, title: string): string {
  const start = markdown.indexOf(`\n## ${title}\n`);
  if (start === -1) return "";
  const end = markdown.indexOf("\n## ", start + 1);
  return markdown.slice(start, end === -1 ? undefined : end);
}

/** Returns a text without its code blocks. */
export function prose(markdown: string): string {
  return markdown.replaceAll(/^```.*?^```$/gms, "");
}

/** Returns the texts between backticks on one line. */
export function quoted(markdown: string): string[] {
  return [...prose(markdown).matchAll(/`([^`\n]+)`/g)].map(([, text = ""]) => text);
}
