/** Clients of `/mcp` and `/v1` look for a sign-in here, or build these addresses wrongly. */
const doors =
  /^\/(?:v1|p\/[^/]+\/(?:v1|mcp)(?:\/.*)?|mcp\/.*|\.well-known\/(?:oauth-|openid-).*|register|authorize|token)$/;

const message =
  "Grove has no sign-in for programs. Make a key in Settings, API keys, and send it as “Authorization: Bearer grove_…” to /mcp, or to the paths of OpenAI's API below /v1.";

/** A page would tell a program nothing. `null` for other paths. */
export function noSuchDoor(pathname: string): Response | null {
  if (!doors.test(pathname)) return null;
  const error = { message, type: "invalid_request_error", param: null, code: "not_found" };
  return Response.json({ error }, { status: 404 });
}
