import { afterAll, beforeAll } from "vitest";
import { inOwnSpace } from "@/lib/chat/core/person-in-space";
import { services } from "@/lib/server/services";
import { startTestServices, type TestServices } from "@/lib/server/testing/test-services";

export const origin = "https://grove.test";

/** Serves a Grove with accounts to the tests of a file. */
export function serveAccounts() {
  let served: TestServices;
  beforeAll(async () => {
    served = await startTestServices({ GROVE_ORIGIN: origin, HOST: "127.0.0.1" });
  });
  afterAll(() => served.end());
  return { signedIn };
}

async function signedIn() {
  const { accounts, ready, identify, acting } = services();
  await ready();
  const made = await accounts?.invite({ role: "owner", email: null, createdBy: null });
  const secret = new URL(made?.link ?? "").hash.slice(1);
  const person = { secret, name: "Ada", email: "ada@example.org", password: "a long password" };
  const accepted = await accounts?.accept(person, new Headers());
  const cookie = (accepted?.cookies.getSetCookie() ?? [])
    .map((each) => each.split(";", 1)[0])
    .join("; ");
  const identity = await identify(new Headers({ cookie }));
  if (!identity) throw new Error("Nobody is signed in.");
  return { cookie, owner: acting(inOwnSpace(identity.personId)) };
}
