import { providerName } from "../../ui/provider.tsx";

/** Returns the provider's name for an account id. */
export function idLabel(provider: string): string {
  const labels: Readonly<Record<string, string>> = {
    aws: "Account id",
    gcp: "Project id",
    azure: "Subscription id",
  };
  return labels[provider] ?? `Id at ${providerName(provider)}`;
}
