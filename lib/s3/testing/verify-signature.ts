import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export type Verdict = "ok" | "AccessDenied" | "InvalidAccessKeyId" | "SignatureDoesNotMatch";

/**
 * Verifies a request's signature from the specification alone.
 *
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export function verifySignature(
  request: IncomingMessage,
  body: Buffer,
  { accessKeyId, secretAccessKey }: Credentials,
): Verdict {
  const { authorization = "" } = request.headers;
  const [, keyId, scope, signedHeaders, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      authorization,
    ) ?? [];
  if (!keyId || !scope || !signedHeaders || !signature) return "AccessDenied";
  if (keyId !== accessKeyId) return "InvalidAccessKeyId";

  const headers = signedHeaders.split(";");
  const [day, region, service] = scope.split("/");
  const time = String(request.headers["x-amz-date"]);
  const payload = String(request.headers["x-amz-content-sha256"]);
  const isWhole =
    headers.includes("host") &&
    Object.keys(request.headers)
      .filter((name) => name.startsWith("x-amz-"))
      .every((name) => headers.includes(name));
  const isPayload = payload === "UNSIGNED-PAYLOAD" || payload === sha256(body);
  if (!isWhole || !isPayload || service !== "s3" || !time.startsWith(day ?? "-")) {
    return "AccessDenied";
  }

  const [path = "", query = ""] = (request.url ?? "").split("?");
  const canonical = [
    request.method,
    path.split("/").map(recoded).join("/"),
    query.split("&").filter(Boolean).map(canonicalParameter).sort().join("&"),
    ...headers.map((name) => `${name}:${String(request.headers[name]).trim().replace(/ +/g, " ")}`),
    "",
    signedHeaders,
    payload,
  ].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n");
  const key = [day, region, service, "aws4_request"].reduce<Buffer>(
    (key, part) => hmac(key, part ?? ""),
    Buffer.from(`AWS4${secretAccessKey}`),
  );
  const isSigned = timingSafeEqual(hmac(key, toSign), Buffer.from(signature, "hex"));
  return isSigned ? "ok" : "SignatureDoesNotMatch";
}

function canonicalParameter(parameter: string): string {
  const [name = "", value = ""] = parameter.split("=");
  return `${recoded(name)}=${recoded(value)}`;
}

function recoded(part: string): string {
  return encodeURIComponent(decodeURIComponent(part)).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function sha256(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

function hmac(key: Buffer, content: string): Buffer {
  return createHmac("sha256", key).update(content).digest();
}
