"use client";

import { api } from "@/app/_api/api";

/** Browsers offer passkeys only over https or on this machine, and only for host names. */
export function canUsePasskeys(): boolean {
  return (
    !/^\[|^[\d.]+$/.test(location.hostname) &&
    typeof PublicKeyCredential !== "undefined" &&
    "parseCreationOptionsFromJSON" in PublicKeyCredential
  );
}

export async function createPasskey(name: string) {
  const { options } = await api("POST /api/account/passkeys/options");
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as PublicKeyCredentialCreationOptionsJSON,
  );
  const answer = answerOf(await navigator.credentials.create({ publicKey }));
  return api("POST /api/account/passkeys", { body: { name, answer } });
}

export async function signInByPasskey() {
  return api("POST /api/account/sign-in/passkey", { body: { answer: await passkeyAnswer() } });
}

export async function confirmByPasskey() {
  return api("POST /api/account/confirm", { body: { passkey: await passkeyAnswer() } });
}

async function passkeyAnswer(): Promise<Record<string, unknown>> {
  const { options } = await api("POST /api/account/sign-in/passkey/options");
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as PublicKeyCredentialRequestOptionsJSON,
  );
  return answerOf(await navigator.credentials.get({ publicKey }));
}

function answerOf(credential: Credential | null): Record<string, unknown> {
  if (!(credential instanceof PublicKeyCredential)) throw new Error("No passkey was chosen.");
  return { ...credential.toJSON() };
}
