/** Global services, and the region that answers for each of them in AWS's main partition. */
export const GLOBAL_SERVICES: Readonly<Record<string, string | undefined>> = {
  billing: "us-east-1",
  bcmdataexports: "us-east-1",
  budgets: "us-east-1",
  ce: "us-east-1",
  cloudfront: "us-east-1",
  cur: "us-east-1",
  globalaccelerator: "us-west-2",
  iam: "us-east-1",
  invoicing: "us-east-1",
  networkmanager: "us-west-2",
  organizations: "us-east-1",
  route53: "us-east-1",
  route53recoverycontrol: "us-west-2",
  route53recoveryreadiness: "us-west-2",
  savingsplans: "us-east-1",
  shield: "us-east-1",
  waf: "us-east-1",
};

/** Buckets have a region, but every region lists all of them. */
const GLOBAL_TYPES: ReadonlySet<string> = new Set(["AWS::S3::Bucket"]);

/** Returns the service in a type's name, in lower case. */
export function serviceOf(type: string): string {
  return (type.split("::")[1] ?? type).toLowerCase();
}

/** Reports whether one call lists a type's resources for all regions. */
export function isGlobal(type: string): boolean {
  return GLOBAL_TYPES.has(type) || GLOBAL_SERVICES[serviceOf(type)] !== undefined;
}
