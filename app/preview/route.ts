import { randomBytes } from "node:crypto";
import { previewHeaders } from "@/lib/server/security-headers";
import { frameScript } from "./frame-script";

export const dynamic = "force-dynamic";

/** The embedding page brings the content; this one is the same for everybody. */
export function GET(): Response {
  const nonce = randomBytes(16).toString("base64");
  const page = `<!doctype html><meta charset="utf-8"><title>Preview</title><body><script nonce="${nonce}">${frameScript}</script>`;
  const headers = Object.fromEntries(previewHeaders(nonce).map(({ key, value }) => [key, value]));
  return new Response(page, {
    headers: { ...headers, "Content-Type": "text/html; charset=utf-8" },
  });
}
