import { Card } from "../../ui/page.tsx";
import { OutLink } from "../../ui/out-link.tsx";

/** Names that conditions use most, with an example of each. The guide to own rules lists all. */
const NAMES = [
  ["resource.account", 'resource.account == "123456789012"'],
  ["resource.type", 'resource.type.startsWith("aws_iam_")'],
  ["resource.name", 'resource.name.matches("^pr-[0-9]+$")'],
  ["resource.tags", 'has(resource.tags.env) && resource.tags.env == "dev"'],
  ["declared.module", 'declared.module.startsWith("module.payments")'],
  ["declared.source", 'declared.source == "network/prod"'],
  ["actor.principal", 'actor.principal.endsWith("/deploy-bot")'],
  ["change.risk_level", '!(change.risk_level in ["critical", "high"])'],
  ["change.rules", '"R09" in change.rules'],
  ["paths", 'paths.all(p, p.startsWith("tags."))'],
] as const;

/** Shows names and examples to write a condition with. */
export function ConditionHelp() {
  return (
    <Card title="Conditions">
      <div className="flex flex-col gap-3">
        <p className="text-muted">
          A missing tag is an error, so ask with <code className="font-mono text-xs">has(…)</code> first. The
          language is <OutLink to="https://cel.dev">CEL</OutLink>.
        </p>
        <dl className="flex flex-col gap-2">
          {NAMES.map(([name, example]) => (
            <div key={name}>
              <dt className="text-xs font-medium">{name}</dt>
              <dd className="text-muted font-mono text-xs break-all">{example}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Card>
  );
}
