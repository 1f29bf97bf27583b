const ABBREVIATIONS = /\b(ami|api|cdn|dns|iam|json)\b/g;

/** Returns `compute_instance` in words: `Compute instance`. */
export function inWords(word: string): string {
  const text = word.replaceAll("_", " ").replaceAll(ABBREVIATIONS, (short) => short.toUpperCase());
  return text.charAt(0).toUpperCase() + text.slice(1);
}
