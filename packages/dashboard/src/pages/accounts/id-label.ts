import { providerName } from "../../ui/provider.tsx";

/** What an account's id is called at its provider. */
export function idLabel(provider: string): string {
  const labels: Readonly<Record<string, string>> = {
    aws: "Account id",
    gcp: "Project id",
    azure: "Subscription id",
  };
  return labels[provider] ?? `Its id at ${providerName(provider)}`;
}
