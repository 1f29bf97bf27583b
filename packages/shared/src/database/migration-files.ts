import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Text of a migration, under its name in the table of applied migrations. */
export interface Migration {
  name: string;
  statements: string;
}

interface Migrations {
  /** `NNNN_verb_what.sql` files, in the order in which they run. Each runs once. */
  numbered: Migration[];
  /**
   * Files with the one current text of functions, views and triggers, in the order of their names. A name ends with a
   * digest of the text, so that a changed text is another migration.
   */
  repeatable: Migration[];
}

const REPEATABLE = "repeatable";
const NUMBERED_NAME = /^\d{4}_\w+\.sql$/;
const DIGEST_LENGTH = 16;

/** Reads the migrations of a folder. */
export async function readMigrations(folder: string): Promise<Migrations> {
  const names = await readdir(folder, { recursive: true });
  const texts = await Promise.all(
    names
      .filter((name) => name.endsWith(".sql"))
      .toSorted()
      .map(async (name) => ({ name, statements: await Bun.file(join(folder, name)).text() })),
  );
  const numbered = texts.filter(({ name }) => !isRepeatable(name));
  const wrong = numbered.find(({ name }) => !NUMBERED_NAME.test(name));
  if (wrong !== undefined)
    throw new Error(`${wrong.name} isn't a valid migration name; use NNNN_verb_what.sql`);
  const repeatable = texts.filter(({ name }) => isRepeatable(name));
  return { numbered, repeatable: repeatable.map(withDigest) };
}

/** Returns whether a name of a migration, applied or not, is that of a repeatable file. */
export function isRepeatable(name: string): boolean {
  return name.startsWith(`${REPEATABLE}/`);
}

/** Returns the number of a numbered migration, as text. */
export function numberOf(name: string): string {
  return name.slice(0, 4);
}

/** Returns the path of a repeatable migration, which is the same for all of its texts. */
export function pathOf(name: string): string {
  return name.split(" ", 1)[0] ?? name;
}

/** Comments, quoted texts, ends of statements, and anything between. */
const TOKEN = /--[^\n]*|\/\*[\s\S]*?\*\/|'[^']*'|"[^"]*"|(\$\w*\$)[\s\S]*?\1|;|[^-/'"$;]+|[\s\S]/g;
const COMMENT = /^(?:--|\/\*)/;

/** Splits a text into its statements, without comments between them. Citus accepts some statements only by themselves. */
export function split(text: string): string[] {
  const statements = [""];
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === ";") statements.push("");
    else if (!COMMENT.test(token)) statements[statements.length - 1] += token;
  }
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== "");
}

function withDigest({ name, statements }: Migration): Migration {
  const digest = createHash("sha256").update(statements).digest("hex").slice(0, DIGEST_LENGTH);
  return { name: `${name} ${digest}`, statements };
}
