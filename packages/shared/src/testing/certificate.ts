import { generateKeyPairSync, sign, type KeyObject } from "node:crypto";

/** A certificate and its key, as PEM. */
export interface Certificate {
  cert: string;
  key: string;
}

/** Issuer of certificates that are valid for a day, for tests of TLS. */
export interface CertificateAuthority {
  /** The certificate to trust. */
  cert: string;
  issue(hostName: string): Certificate;
}

/** Creates a certificate authority for a test. */
export function createAuthority(): CertificateAuthority {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = "Leeway test authority";
  const isAuthority = extension("551d13", der(0x30, der(0x01, hex("ff"))));
  return {
    cert: certificate({
      subject: name,
      publicKey,
      issuer: name,
      signer: privateKey,
      extensions: isAuthority,
    }),
    issue(hostName) {
      const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const alternativeName = extension("551d11", der(0x30, der(0x82, Buffer.from(hostName))));
      return {
        cert: certificate({
          subject: hostName,
          publicKey: pair.publicKey,
          issuer: name,
          signer: privateKey,
          extensions: alternativeName,
        }),
        key: pair.privateKey.export({ type: "pkcs8", format: "pem" }),
      };
    },
  };
}

interface Content {
  subject: string;
  publicKey: KeyObject;
  issuer: string;
  signer: KeyObject;
  extensions: Buffer;
}

const DAY_MS = 86_400_000;
/** ecdsa-with-SHA256 */
const ALGORITHM = der(0x30, der(0x06, hex("2a8648ce3d040302")));

/** Returns an X.509 certificate, version 3 (RFC 5280, 4.1). */
function certificate({ subject, publicKey, issuer, signer, extensions }: Content): string {
  const now = Date.now();
  const body = der(
    0x30,
    der(0xa0, der(0x02, hex("02"))),
    der(0x02, hex("01"), crypto.getRandomValues(new Uint8Array(8))),
    ALGORITHM,
    distinguishedName(issuer),
    der(0x30, time(now - DAY_MS), time(now + DAY_MS)),
    distinguishedName(subject),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, der(0x30, extensions)),
  );
  const signature = der(0x03, hex("00"), sign("sha256", body, signer));
  const lines =
    der(0x30, body, ALGORITHM, signature)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}

function distinguishedName(commonName: string): Buffer {
  const attribute = der(0x30, der(0x06, hex("550403")), der(0x0c, Buffer.from(commonName)));
  return der(0x30, der(0x31, attribute));
}

function extension(id: string, value: Buffer): Buffer {
  return der(0x30, der(0x06, hex(id)), der(0x04, value));
}

function time(ms: number): Buffer {
  const text = new Date(ms).toISOString().replaceAll(/[-:T]|\.\d+/g, "");
  return der(0x18, Buffer.from(text));
}

function der(tag: number, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const { length } = body;
  const head =
    length < 128
      ? [tag, length]
      : length < 256
        ? [tag, 0x81, length]
        : [tag, 0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), body]);
}

function hex(digits: string): Buffer {
  return Buffer.from(digits, "hex");
}
