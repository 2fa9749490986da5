// The shapes of keys in use: "sk-…", "sk-ant-…", "gsk_…", "xai-…", "AIza…", a bearer token, a JWT; whole or
// partly masked, as providers echo them.
const secretShapes =
  /\b(?:sk|pk|rk|gsk|xai|or|hf|r8|key)[-_][\w*.-]{6,}|\bAIza[\w*-]{10,}|\bbearer\s+\S+|\beyJ[\w-]+\.[\w.-]+|\b[\w-]*\*{4,}[\w-]*/gi;

/** Replaces everything in `text` that looks like an API key or a token, masked ones included. */
export function redactSecrets(text: string): string {
  return text.replace(secretShapes, "[hidden]");
}
