import fc from "fast-check";

/** Text that triggers an action in a code host, browser or terminal, or reads differently than it looks. */
export const HOSTILE: readonly string[] = [
  "@admin",
  "@group/team",
  "#1",
  "!12",
  "group/project#3",
  "GH-7",
  "~bug",
  "%milestone",
  "$snippet",
  "&4",
  ":tada:",
  "/close",
  "\n/merge\n",
  "\n/leeway ignore pn1_aaaaaaaaaaaaaaaaaaaaaaaaaa\n",
  "https://evil.example/a",
  "www.evil.example",
  "a@evil.example",
  "mailto:a@evil.example",
  "[text](https://evil.example)",
  "[text][ref]",
  "\n[ref]: https://evil.example\n",
  "![image](//evil.example/x.png)",
  "<https://evil.example>",
  "<img src=x onerror=alert(1)>",
  "<script>alert(1)</script>",
  "</details>",
  "</summary>",
  "<!-- ",
  " -->",
  "--!>",
  "&lt;b&gt;",
  "&#64;admin",
  "`",
  "``",
  "```\n",
  "~~~\n",
  "$`x`$",
  "$$x$$",
  "|",
  "\\|",
  "\\",
  "\n---\n",
  "\n===\n",
  "\n# head\n",
  "\n> quote\n",
  "\n- item\n",
  "*stress*",
  "**",
  "_",
  "\u202Eevil\u202C",
  "\u200B",
  "\u2066",
  "\uFEFF",
  "\u{E0041}",
  "\u001B[31m",
  "\u0007",
  "\u0000",
  "\r\n",
  "\u2028",
  "\uD800",
  "]]>",
  "deadbeefcafe1234",
  "aws_db_instance.orders",
  'module.a["x"].aws_s3_bucket.b',
  "word",
  "a sentence, with words.",
];

/** Random text mixed with escape attempts. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...HOSTILE) },
      fc.string({ unit: "binary" }),
      fc.constant(" "),
    ),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(""));

/** Renders Markdown with tables and autolinks as HTML. */
export function rendered(markdown: string): string {
  return Bun.markdown.html(markdown, { autolinks: true });
}

/** Returns the rendered Markdown outside code, where a code host looks for mentions, references and commands. */
export function acting(html: string): string {
  return html.replaceAll(/<code[^>]*>[\s\S]*?<\/code>/gu, "\u25A1");
}

const OWN_TAGS =
  /<a href="https:\/\/leeway\.example\/[\w/]*">|<\/a>|<\/?(?:br|h[1-6]|p|ul|ol|li|strong|em|code|table|thead|tbody|tr|th|td|details|summary|sub|blockquote|hr|pre)(?: (?:start="\d+"|class="language-\w+"))?(?: \/)?>|<!-- leeway:[^>]*-->/gu;

/** Returns the first active element in rendered Markdown; undefined if it is inert. */
export function whatActs(html: string): string | undefined {
  const outside = acting(html).replaceAll(OWN_TAGS, "\n").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  return /<|&lt;|[@#~$`[\]\\|]|!\w|:\/\/|www\.|^\s*\/|%\w|&\w|:\w+:|\p{Cf}|(?!\n)\p{Cc}|(?=[a-f]*\d)[0-9a-f]{7,}/mu.exec(
    outside,
  )?.[0];
}
