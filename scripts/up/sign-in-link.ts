import { randomBytes } from "node:crypto";

import { sha256 } from "@leeway/shared/values/digest";
import { SQL } from "bun";

/** The demo's owner. Issuers of identity providers are URLs, so none can claim to be this one. */
const OWNER = { issuer: "leeway up", subject: "owner", email: "owner@localhost", name: "Demo owner" };
const HOURS = 24;

/**
 * Creates a link that signs one browser in, once, as the owner of the demo organization, who becomes a member if
 * missing. It replaces earlier unused links. Only the database's owner can do this: the API can't create such links.
 * @returns its token
 */
export async function createSignInLink(adminUrl: string, orgId: string): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await using sql = new SQL(adminUrl, { max: 1 });
  await sql.begin(async (tx) => {
    const { issuer, subject, email, name } = OWNER;
    // As for anyone else: invited, and a member from their first sign-in, with an entry in the audit log.
    await tx`
      insert into identity.members (org_id, id, email, role)
      values (${orgId}, ${Bun.randomUUIDv7()}, ${email}, 'owner')
      on conflict do nothing
    `;
    const [person] = await tx<{ id: string }[]>`
      select id
        from identity.sign_in(
          ${Bun.randomUUIDv7()}, ${issuer}, ${subject}, ${email}, true, ${name}, ${Bun.randomUUIDv7()}
        )
    `;
    const id = person?.id ?? "";
    await tx`delete from identity.sign_in_links where person_id = ${id}`;
    await tx`
      insert into identity.sign_in_links (token_hash, person_id, expires_at)
      values (${sha256(token)}, ${id}, now() + make_interval(hours => ${HOURS}))
    `;
  });
  return token;
}
