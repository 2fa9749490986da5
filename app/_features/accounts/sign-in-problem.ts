const refused = "This sign-in did not work. You need an account here, or an invite to make one.";
const unconfirmed =
  "The sign-in server did not confirm who you are. Try again, or use another way to sign in.";
const lost = "This sign-in was begun elsewhere, or took too long. Start again.";

const sentences: Readonly<Record<string, string>> = {
  account_not_linked:
    "There is an account with this e-mail address. Sign in as usual, then connect it in Settings, Account.",
  access_denied: "The sign-in was refused.",
  email_not_found: "The sign-in server did not say your e-mail address, which Grove needs.",
  invalid_code: unconfirmed,
  issuer_mismatch: unconfirmed,
  no_code: unconfirmed,
  unable_to_get_user_info: unconfirmed,
  temporarily_unavailable: unconfirmed,
  server_error: unconfirmed,
};

/** The address's text is never shown. */
export function signInProblem(code: string): string {
  return (Object.hasOwn(sentences, code) && sentences[code]) || (isLost(code) ? lost : refused);
}

function isLost(code: string): boolean {
  return /^state_\w+$/.test(code);
}
