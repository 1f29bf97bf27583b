/** Converts ASCII letters to lower case, as PostgreSQL's collation "C" does. Other letters stay. */
export function asciiLower(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
