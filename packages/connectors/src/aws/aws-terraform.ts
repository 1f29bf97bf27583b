/** A role, and what it may do. */
interface TerraformRole {
  trust: object;
  policy: object;
  /** Names of AWS's own policies. */
  readers: readonly string[];
}

/** Returns Terraform code that creates the role `leeway`. Its output is the role's ARN. */
export function roleAsTerraform({ trust, policy, readers }: TerraformRole): string {
  return `resource "aws_iam_role" "leeway" {
  name               = "leeway"
  assume_role_policy = jsonencode(${expression(trust)})
}

resource "aws_iam_role_policy" "leeway" {
  name   = "leeway"
  role   = aws_iam_role.leeway.name
  policy = jsonencode(${expression(policy)})
}

resource "aws_iam_role_policy_attachment" "leeway" {
  for_each = toset(${expression(readers)})

  role       = aws_iam_role.leeway.name
  policy_arn = "arn:aws:iam::aws:policy/\${each.value}"
}

output "role_arn" {
  value = aws_iam_role.leeway.arn
}
`;
}

/** Returns a value as HCL: JSON is valid HCL, but for the starts of templates in texts. */
function expression(value: unknown): string {
  return JSON.stringify(value, undefined, 2)
    .replaceAll(/[$%](?=\{)/g, "$&$&")
    .replaceAll("\n", "\n  ");
}
