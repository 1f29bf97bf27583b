import { expect, test } from "bun:test";

import { formatAll } from "../apply-fix.ts";

/** Output of `terraform fmt` 1.x. */
test.each([
  [
    "equals signs and comments are aligned line by line",
    "  a=1 # x\n  bbb = 22   # y\n\n  c=3\n",
    "  a   = 1  # x\n  bbb = 22 # y\n\n  c = 3\n",
  ],
  [
    "a value over several lines isn't aligned",
    "  aa = 1\n  b = [\n  1,\n   2]\n",
    "  aa = 1\n  b = [\n    1,\n  2]\n",
  ],
  [
    "a heredoc is aligned, and its text is unchanged",
    "  a = <<-EOT\n   x  y\n  EOT\n  bb=1\n",
    "  a  = <<-EOT\n   x  y\n  EOT\n  bb = 1\n",
  ],
  [
    "spaces in templates are kept, except in interpolations",
    '  a = "  x ${ b+c } "\n',
    '  a = "  x ${b + c} "\n',
  ],
  ["lists and objects", '  d = [ 1,2 ]\n  e = {a=1,"b":2}\n', '  d = [1, 2]\n  e = { a = 1, "b" : 2 }\n'],
  [
    "a minus as sign and as operator",
    "  a = x -1\n  b = [- 1]\n  c = ! d\n",
    "  a = x - 1\n  b = [-1]\n  c = !d\n",
  ],
  [
    "calls, indices and splats",
    "  a = f ( x [0] , y . z [*] [0] . id... )\n",
    "  a = f(x[0], y.z[*][0].id...)\n",
  ],
  ["for expressions", "  a = [for x in [1]:x if x!=-1]\n", "  a = [for x in [1] : x if x != -1]\n"],
  ["nested blocks", "ingress {a=1}\n    h   {}\n", "  ingress { a = 1 }\n  h {}\n"],
  [
    "characters beyond ASCII",
    '  é=1\n  aa="🎉" # x\n  b = 2 # y\n',
    '  é  = 1\n  aa = "🎉" # x\n  b  = 2   # y\n',
  ],
])("%s", async (_fact, lines, wanted) => {
  const { text, parsed, formatted } = await formatAll(`resource "a" "b" {\n${lines}}\n`);
  expect(parsed).toBe(true);
  expect(formatted).toBe(true);
  expect(text).toBe(`resource "a" "b" {\n${wanted}}\n`);
});
