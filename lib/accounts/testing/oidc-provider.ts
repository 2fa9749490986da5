import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

export type Claims = Readonly<Record<string, unknown>>;

/** Differences of a sign-in from an honest one. */
export interface Dishonesty {
  readonly claims?: Claims;
  /** Signs with another key than the published one. */
  readonly isForged?: boolean;
  readonly isUnsigned?: boolean;
  readonly userInfo?: Claims;
}

/** A sign-in server: authorization code with PKCE, tokens signed with RS256. */
export interface OidcProvider {
  readonly issuer: string;
  /** @returns the address to which the provider sends the browser. */
  consent(page: string, person: Claims, dishonesty?: Dishonesty): URL;
  stop(): Promise<void>;
  start(): Promise<void>;
}

export const clientId = "grove";
export const clientSecret = "a secret of the test";

interface Code {
  readonly challenge: string;
  readonly redirectUri: string;
  readonly claims: Claims;
  readonly userInfo: Claims;
  readonly dishonesty: Dishonesty;
}

interface State {
  readonly issuer: string;
  readonly own: Keys;
  readonly forged: Keys;
  readonly codes: Map<string, Code>;
  readonly tokens: Map<string, Claims>;
}

interface Keys {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const lifetimeSeconds = 300;

export async function startOidcProvider(): Promise<OidcProvider> {
  const handle = (request: IncomingMessage, response: ServerResponse) =>
    void answer(state, request).then(({ status, body }) => {
      response.writeHead(status, { "Content-Type": "application/json" });
      response.end(JSON.stringify(body));
    });
  let server = createServer(handle).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const newKeys = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
  const state: State = {
    issuer: `http://127.0.0.1:${port}`,
    own: newKeys(),
    forged: newKeys(),
    codes: new Map(),
    tokens: new Map(),
  };
  return {
    issuer: state.issuer,
    consent: (page, person, dishonesty = {}) => consent(state, new URL(page), person, dishonesty),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
    async start() {
      server = createServer(handle).listen(port, "127.0.0.1");
      await once(server, "listening");
    },
  };
}

function consent(
  { issuer, codes }: State,
  { searchParams }: URL,
  person: Claims,
  dishonesty: Dishonesty,
): URL {
  const asked = (name: string) => searchParams.get(name) ?? "";
  const now = Math.floor(Date.now() / 1_000);
  const code = crypto.randomUUID();
  codes.set(code, {
    challenge: asked("code_challenge"),
    redirectUri: asked("redirect_uri"),
    userInfo: dishonesty.userInfo ?? person,
    dishonesty,
    claims: {
      iss: issuer,
      aud: asked("client_id"),
      iat: now,
      exp: now + lifetimeSeconds,
      nonce: asked("nonce"),
      ...person,
      ...dishonesty.claims,
    },
  });
  const back = new URL(asked("redirect_uri"));
  back.search = new URLSearchParams({ code, state: asked("state"), iss: issuer }).toString();
  return back;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function answer(state: State, request: IncomingMessage): Promise<Answer> {
  const { issuer, own, tokens } = state;
  switch (new URL(request.url ?? "", issuer).pathname) {
    case "/.well-known/openid-configuration":
      return { status: 200, body: discovery(issuer) };
    case "/jwks": {
      const key = { ...own.publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256" };
      return { status: 200, body: { keys: [{ ...key, use: "sig" }] } };
    }
    case "/token":
      return token(state, new URLSearchParams(await text(request)), request.headers.authorization);
    case "/userinfo": {
      const person = tokens.get(request.headers.authorization?.replace(/^Bearer /, "") ?? "");
      return person ? { status: 200, body: person } : { status: 401, body: {} };
    }
    default:
      return { status: 404, body: {} };
  }
}

function discovery(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    code_challenge_methods_supported: ["S256"],
  };
}

/** Each code works once. */
function token(state: State, form: URLSearchParams, authorization = ""): Answer {
  const code = state.codes.get(form.get("code") ?? "");
  state.codes.delete(form.get("code") ?? "");
  const basic = Buffer.from(authorization.replace(/^Basic /, ""), "base64").toString();
  const [id, secret] = authorization
    ? basic.split(":").map(decodeURIComponent)
    : [form.get("client_id"), form.get("client_secret")];
  if (id !== clientId || secret?.replaceAll("+", " ") !== clientSecret)
    return { status: 401, body: { error: "invalid_client" } };
  const verifier = createHash("sha256").update(form.get("code_verifier") ?? "");
  const isRight =
    code?.challenge === verifier.digest("base64url") &&
    code.redirectUri === form.get("redirect_uri");
  if (!code || !isRight) return { status: 400, body: { error: "invalid_grant" } };
  const accessToken = crypto.randomUUID();
  state.tokens.set(accessToken, code.userInfo);
  return {
    status: 200,
    body: {
      access_token: accessToken,
      token_type: "Bearer",
      expires_in: lifetimeSeconds,
      id_token: idToken(state, code),
    },
  };
}

function idToken({ own, forged }: State, { claims, dishonesty }: Code): string {
  const { isForged = false, isUnsigned = false } = dishonesty;
  const head = { alg: isUnsigned ? "none" : "RS256", kid: "1", typ: "JWT" };
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part(head)}.${part(claims)}`;
  if (isUnsigned) return `${signed}.`;
  const { privateKey } = isForged ? forged : own;
  return `${signed}.${sign("sha256", Buffer.from(signed), privateKey).toString("base64url")}`;
}
