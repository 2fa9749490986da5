import { createStore, pageOwner } from "@/app/_ui/store";
import { ApiError, answerError } from "./api-error";

export type PagePerson = "signed-in" | "signed-out" | "other-account" | "leaving";

export const pagePerson = createStore<PagePerson>("signed-in");

export const tabId = crypto.randomUUID();

/** The server refuses a page of another person than the one who is signed in. */
export function ownHeaders() {
  return { "x-grove-owner": pageOwner(), "x-grove-tab": tabId };
}

/** Notices that the page's person is signed out or back, so every request goes through here. */
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

/** `null` means that the server answered. Pages of nobody, such as the sign-in page, stay unchanged. */
export function noticePerson(error: ApiError | null): void {
  if (pagePerson.read() === "leaving") return;
  const next = error === null ? "signed-in" : (personOf[error.code] ?? pagePerson.read());
  if (next !== pagePerson.read() && pageOwner() !== "nobody") pagePerson.update(() => next);
}

export function isAway(error: unknown): boolean {
  return error instanceof ApiError && error.code in personOf;
}

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
