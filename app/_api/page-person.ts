import { createStore, pageOwner } from "@/app/_ui/store";
import { ApiError, answerError } from "./api-error";

/** If the person whose page this is may still use it. A page that is `leaving` is about to be replaced. */
export type PagePerson = "signed-in" | "signed-out" | "other-account" | "leaving";

/** Follows the last answer of the server. */
export const pagePerson = createStore<PagePerson>("signed-in");

/** Events caused by its requests carry it as their `origin`. */
export const tabId = crypto.randomUUID();

/** The server refuses a page of another person than the one who is signed in. */
export function ownHeaders() {
  return { "x-grove-owner": pageOwner(), "x-grove-tab": tabId };
}

/** The one way in which the page asks the server: notices that its person is signed out, and that they are back. */
export async function pageFetch(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(path, {
    ...init,
    headers: { ...Object.fromEntries(new Headers(init.headers)), ...ownHeaders() },
  });
  if (response.ok) noticePerson(null);
  else if (response.status === 401 || response.status === 409)
    noticePerson(answerError(response.status, await bodyOf(response.clone())));
  return response;
}

/** `null`: the server answered. Pages of nobody, such as the sign-in page, stay as they are. */
export function noticePerson(error: ApiError | null): void {
  if (pagePerson.read() === "leaving") return;
  const next = error === null ? "signed-in" : (personOf[error.code] ?? pagePerson.read());
  if (next !== pagePerson.read() && pageOwner() !== "nobody") pagePerson.update(() => next);
}

/** The message waits for its person. */
export function isAway(error: unknown): boolean {
  return error instanceof ApiError && error.code in personOf;
}

/** Address of the sign-in page, which leads back to this one. */
export function signInPath({ pathname, search }: Pick<Location, "pathname" | "search">): string {
  return `/sign-in?next=${encodeURIComponent(`${pathname}${search}`)}`;
}

const personOf: Readonly<Record<string, PagePerson>> = {
  "signed-out": "signed-out",
  "other-account": "other-account",
};

async function bodyOf(response: Response): Promise<unknown> {
  return response.json().catch(() => null);
}
