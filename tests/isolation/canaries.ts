/** Text beside secrets that no redaction should remove. */
export const PLAIN = "plain-and-visible";

/** Every secret that was sent, by place. */
export const secrets = new Map<string, string>();

/** Creates the secret of a place. */
export function secret(place: string): string {
  const value = `Canary${crypto.getRandomValues(new Uint8Array(15)).toHex()}`;
  secrets.set(place, value);
  return value;
}

export const secretsOf = (what: string) => (where: string) => secret(`${what}: ${where}`);

/** Returns the places whose secret appears in a text: in full, in part or encoded. */
export function shownIn(text: string): string[] {
  return [...secrets].flatMap(([place, value]) => {
    const forms = [
      value.slice(0, 15),
      Buffer.from(value).toString("hex"),
      Buffer.from(value).toString("base64").slice(0, 36),
    ];
    return forms.some((form) => text.includes(form)) ? [place] : [];
  });
}
