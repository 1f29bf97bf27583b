/** Account of a cloud. */
export interface NamedAccount {
  provider: string;
  externalId: string;
}

/** Parses `PROVIDER:EXTERNAL_ID`; undefined for another form. */
export function parseAccount(raw: string): NamedAccount | undefined {
  const [, provider, externalId] = /^([a-z][a-z0-9_-]*):(\S+)$/.exec(raw) ?? [];
  return provider && externalId ? { provider, externalId } : undefined;
}
